BROKER=  # host:port of the broker
ADMIN=  # name of the administrator
PASSFILE=  # file with a line imq.imqcmd.password=
: "${BROKER:?fill it in at the head}" "${ADMIN:?fill it in at the head}" "${PASSFILE:?fill it in at the head}"
imq() { $run imqcmd "$@" -b "$BROKER" -u "$ADMIN" -passfile "$PASSFILE" -f; }
label() {
    case $1 in
    # LABELS
    esac
}
no_limit() {  # 0 and -1 both say it of a consumer
    case $1 in consumerFlowLimit) sed 's/^0$/-1/' ;; *) cat ;; esac
}
held() {
    imq query dst -t "${1%%:*}" -n "${1#*:}" | sed -n "s/^$(label "$2")  *//p" |
        sed 's/.*(\(-*[0-9]*\)) *$/\1/; s/ *$//' | no_limit "$2"
}
unset_in() { false; }
default_of() { :; }
make() { imq update dst -t "${1%%:*}" -n "${1#*:}" -o "$2=$3"; }
