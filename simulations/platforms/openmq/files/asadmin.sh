OPTIONS=  # of asadmin, for example --host h --port 4848 --user admin --passwordfile f
pool=
dotted() { printf '%s' "$1" | sed 's/[.\\]/\\&/g'; }
no_limit() {  # 0 and -1 both say it of a consumer
    case $1 in *.imqConsumerFlowLimit) sed 's/^0$/-1/' ;; *) cat ;; esac
}
held() {  # an option of a pool is a property of its own there, or one of the list
    case $2 in
    property.options.*)
        asadmin $OPTIONS get "$1.*" | sed -n "s/^.*[.]property[.]${2##*.}=//p
            /[.]property[.]options=/{
                s/^[^=]*=/,/
                s/.*, *${2##*.} *= *\([^, ]*\).*/\1/p
            }" | no_limit "$2" ;;
    *) asadmin $OPTIONS get "$1.$2" | sed -n "s/^.*[.]$2=//p" | tr -d '\\' ;;
    esac
}
unset_in() {  # a property that is not set, of an object that is there
    case $2 in *property.*) asadmin $OPTIONS get "$1.name" >/dev/null 2>&1 ;; *) false ;; esac
}
default_of() {  # what counts where a property is not set
    case $1 in
    # DEFAULTS
    esac
}
make() {
    case $2 in
    property.options.*) make_option "$1" "${2##*.}" "$3" ;;
    *) $run asadmin $OPTIONS set "$1.$2=$3" ;;
    esac
}
make_option() {  # pool, option, value: where it is, or behind the others of the list, which stay; no value takes it out
    if [ "$1" != "$pool" ]; then
        pool=$1 all=$(asadmin $OPTIONS get "$1.*")
        list=$(printf '%s\n' "$all" | sed -n 's/^.*[.]property[.]options=\(.\)/,\1/p')
    fi
    case $all in
    '') return 1 ;;
    *".property.$2="*) $run asadmin $OPTIONS set "$1.property.$2=$3" ;;
    *)
        list=$(printf '%s\n' "$list" | sed "/, *$2 *=/!s/\$/,$2=$3/; s/, *$2 *=[^,]*/${3:+,$2=$3}/") || return 1
        $run asadmin $OPTIONS set "$1.property.options=${list#,}" ;;
    esac
}
