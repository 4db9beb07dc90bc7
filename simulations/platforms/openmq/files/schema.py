"""Children in the order of GlassFish's document types; what is not named belongs at the end."""

from simulations.platforms.files.syntax.insertion import Order, order_of

ORDER: Order = order_of(
    {
        "config": "http-service iiop-service admin-service connector-service web-container ejb-container mdb-container",
        "ejb": (
            "ejb-name jndi-name ejb-ref resource-ref resource-env-ref service-ref message-destination-ref "
            "pass-by-reference cmp principal mdb-connection-factory jms-durable-subscription-name "
            "jms-max-messages-load ior-security-config is-read-only-bean refresh-period-in-seconds commit-option "
            "cmt-timeout-in-seconds use-thread-pool-id gen-classes bean-pool"
        ),
        "bean-pool": "steady-pool-size resize-quantity max-pool-size pool-idle-timeout-in-seconds",
    }
)
