MANAGER=  # name of the queue manager
RUNMQSC=runmqsc  # with further words where it takes some, for example runmqsc -c
: "${MANAGER:?fill it in at the head}"
mqsc() { printf '%s\n' "$1" | $RUNMQSC "$MANAGER"; }
quoted() { printf '%s' "$1" | sed "s/'/''/g"; }
held() { mqsc "DISPLAY QLOCAL('$(quoted "$1")') $2" | sed -n "s/^.*$2(\([^)]*\)).*/\1/p"; }
unset_in() { false; }
default_of() { :; }
make() {
    line="ALTER QLOCAL('$(quoted "$1")') $2($3)"
    if [ -n "$run" ]; then echo "$line"; else mqsc "$line" >&2; fi
}
