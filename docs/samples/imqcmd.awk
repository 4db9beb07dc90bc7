# The table of `imqcmd metrics dst -t q -n NAME -m ttl -int SECONDS` as CSV that Sluice reads:
#   awk -v queue=NAME -v every=SECONDS -f imqcmd.awk table.txt > NAME.csv
# The tool prints no instants: rows are taken to be `every` seconds apart, 5 unless it was told otherwise.
BEGIN { every = every ? every : 5; print "time,destination,msgs_in,msgs_out,msg_count_current" }
NF == 11 && /^[ \t0-9-]+$/ && /[0-9]/ { print ++rows * every "," queue "," $1 "," $2 "," $5 }
