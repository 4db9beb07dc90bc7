OPTIONS=  # of asadmin, for example --host h --port 4848 --user admin --passwordfile f
dotted() { printf '%s' "$1" | sed 's/[.\\]/\\&/g'; }
held() { asadmin $OPTIONS get "$1.$2" | sed -n "s/^.*[.]$2=//p" | tr -d '\\'; }
make() { asadmin $OPTIONS set "$1.$2=$3"; }
