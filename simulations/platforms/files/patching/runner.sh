step() {  # path, object, key, expected, wanted
    n=$((n + 1))
    case $pass in
    plan)
        present=$(held "$2" "$3")
        eval "present_$n=\$present"
        word=ok
        [ "$present" = "$4" ] || { word=DIFFERS; different=$((different + 1)); }
        case $present$3 in "$3") case $3 in *property.*) ;; *) word=STOP; missing=$((missing + 1)) ;; esac ;; esac
        echo "$word $1 ($2 $3): present '$present', expected '$4', wanted '$5'" ;;
    apply) [ "$failed" -gt 0 ] || make "$2" "$3" "$5" || failed=$n ;;
    revert)
        [ "$n" -gt "$failed" ] && return
        eval "present=\$present_$n"
        make "$2" "$3" "$present" || left=$((left + 1)) ;;
    verify) [ "$(held "$2" "$3")" = "$5" ] || { echo "$1 reads back with another value"; left=$((left + 1)); } ;;
    esac
}
pass_over() { pass=$1; n=0; steps; }
missing=0 different=0 failed=0 left=0
pass_over plan
if [ "$missing" -gt 0 ] || { [ "$different" -gt 0 ] && [ "$ANYWAY" != 1 ]; }; then
    echo "Nothing is changed: $missing missing, $different with another value."
    exit 1
elif [ "$APPLY" != 1 ]; then
    echo "Nothing is changed: this was the plan. Set APPLY=1 at the head to make the changes."
    exit 0
fi
pass_over apply
if [ "$failed" -gt 0 ]; then
    pass_over revert
    echo "FAILED at change $failed: those before it are taken back, $left could not be; the undo script does that."
    exit 1
fi
pass_over verify
[ "$left" = 0 ] || exit 1
echo "All changes are made and read back. The undo script takes them back."
