step() {  # path, object, key, expected, wanted
    n=$((n + 1))
    case $pass in
    plan)
        present=$(held "$2" "$3")
        eval "present_$n=\$present"
        word=ok
        [ "${present:-$(default_of "$3")}" = "$4" ] || { word=DIFFERS; different=$((different + 1)); }
        [ -n "$present" ] || unset_in "$2" "$3" || { word=STOP; missing=$((missing + 1)); }
        echo "$word $1 ($2 $3): present '$present', expected '$4', wanted '$5'" ;;
    apply) [ "$failed" -gt 0 ] || make "$2" "$3" "$5" || failed=$n ;;
    verify) [ "$(held "$2" "$3")" = "$5" ] || { echo "$1 reads back with another value"; wrong=$((wrong + 1)); } ;;
    revert)
        [ "$n" -gt "$failed" ] && return
        eval "present=\$present_$n"
        make "$2" "$3" "$present"
        [ "$(held "$2" "$3")" = "$present" ] || { echo "$1 is not taken back: it was '$present'"; left=$((left + 1)); } ;;
    undo)
        eval "present=\$present_$n"
        make "$2" "$3" "$present" ;;
    esac
}
pass_over() { pass=$1; n=0; steps; }
taken_back() {  # why
    trap '' HUP INT TERM
    pass_over revert
    echo "FAILED $1: all changes are taken back, $left could not be; the undo script does that."
    exit 1
}
show() {  # the command that would be run
    for word; do
        printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
    done
    echo
}
run=
missing=0 different=0 failed=0 wrong=0 left=0
pass_over plan
if [ "$missing" -gt 0 ] || { [ "$different" -gt 0 ] && [ "$ANYWAY" != 1 ]; }; then
    echo "Nothing is changed: $missing missing, $different with another value."
    exit 1
elif [ "$APPLY" != 1 ]; then
    echo "Nothing is changed: this was the plan. Set APPLY=1 at the head to make the changes."
    exit 0
fi
trap 'failed=$((n > 0 ? n : 1))' HUP INT TERM
pass_over apply
[ "$failed" = 0 ] || taken_back "at change $failed"
pass_over verify
[ "$failed$wrong" = 00 ] || { failed=$n; taken_back "at reading back"; }
trap '' HUP INT TERM
echo "All changes are made and read back. To take them back, run the undo script or:"
run=show
pass_over undo
