OPTIONS=  # of asadmin, for example --host h --port 4848 --user admin --passwordfile f
dotted() { printf '%s' "$1" | sed 's/[.\\]/\\&/g'; }
held() { asadmin $OPTIONS get "$1.$2" | sed -n "s/^.*[.]$2=//p" | tr -d '\\'; }
unset_in() {  # a property that is not set, of an object that is there
    case $2 in *property.*) asadmin $OPTIONS get "$1.name" >/dev/null 2>&1 ;; *) false ;; esac
}
default_of() {  # what counts where a property is not set
    case $1 in
    # DEFAULTS
    esac
}
make() { $run asadmin $OPTIONS set "$1.$2=$3"; }
