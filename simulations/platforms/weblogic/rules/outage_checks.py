"""Checks of the rules about pools of beans, members of a destination, suspensions, stuck threads and overload."""

from simulations.platforms.shared.laws import quantile_of
from simulations.platforms.shared.queues import number, service_of, settings_of
from simulations.platforms.shared.rules import Verdict
from simulations.platforms.weblogic.formulas import batch_size, concurrency, count_of, manager_of, mdb_of, pools_of
from simulations.platforms.weblogic.parameters.server import ServerSettings
from simulations.system import Queue, Server, System


def initial_beans(_: System, server: Server, queue: Queue) -> Verdict | None:
    """Instances that are made at deployment and can never run."""
    made, most = mdb_of(queue).initial_beans_in_free_pool, concurrency(server, queue).maximum // pools_of(server, queue)
    if made == 0:
        return None
    if made <= most:
        return Verdict("ok", f"{made} of at most {most} instances are made at deployment.")
    message = f"{made} instances are made at deployment, at most {most} of them ever run."
    return Verdict("ignored", message, {"settings.initial_beans_in_free_pool": most})


def every_member(_: System, server: Server, queue: Queue) -> Verdict | None:
    """A bean that connects to every member of a destination."""
    if mdb_of(queue).distributed_destination_connection == "LocalOnly":
        return None
    fix = {"settings.distributed_destination_connection": "LocalOnly"}
    if pools_of(server, queue) == 1:
        message = "EveryMember does nothing here: it counts for a queue with a member on each of several servers."
        return Verdict("ignored", message, fix)
    total = server.instances * concurrency(server, queue).maximum
    message = (
        f"Each of {server.instances} servers keeps a pool for each member: up to {total} instances of the bean, and "
        f"messages travel between servers."
    )
    return Verdict("ok", message, details={"cluster_concurrency": float(total)})


def one_queue_for_all(_: System, server: Server, queue: Queue) -> Verdict | None:
    """Members of a cluster compete for one queue in the simulation, whatever the members of a destination hold."""
    mdb, members = mdb_of(queue), server.instances
    if members == 1 or queue.kind != "queue" or mdb.destination == "foreign":
        return None
    assumed = f"The simulation lets all {members} servers take from one queue"
    if mdb.distributed_destination_connection == "EveryMember":
        return Verdict("ok", f"{assumed}, as beans do that connect to every member.")
    message = (
        f"{assumed}. LocalOnly leaves the messages at each member of a distributed queue to its own server: they wait "
        f"longer than shown here, about as long as with one server and 1/{members} of the arrivals."
    )
    return Verdict("ok", message)


def suspension_grows(_: System, __: Server, queue: Queue) -> Verdict:
    """The first suspension against the longest one."""
    first, longest = mdb_of(queue).init_suspend, mdb_of(queue).max_suspend
    if first <= longest:
        return Verdict(
            "ok", f"After failures the bean rests for {number(first)} s, and up to {number(longest)} s later."
        )
    message = f"The first suspension of {number(first)} s is longer than the longest one of {number(longest)} s."
    return Verdict("violated", message, {"settings.init_suspend": longest})


def not_stuck(_: System, server: Server, queue: Queue) -> Verdict:
    """The time after which a thread counts as stuck against onMessage."""
    limit = settings_of(server, ServerSettings).stuck_thread_max_time
    slow = batch_size(queue) * quantile_of(service_of(queue), 0.999)
    if slow < limit:
        return Verdict("ok", f"Few threads work longer than {number(slow)} s; one is stuck at {number(limit)} s.")
    message = (
        f"One thread in a thousand works longer than {number(slow)} s: at {number(limit)} s it counts as stuck, "
        f"although it is only slow."
    )
    return Verdict("violated", message, {f"servers.{server.name}.settings.stuck_thread_max_time": 2 * slow})


def shared_capacity(_: System, server: Server, queue: Queue) -> Verdict | None:
    """The capacity of the work manager against that of the whole server."""
    shared = settings_of(server, ServerSettings).shared_capacity
    own = count_of(server, manager_of(server, mdb_of(queue).work_manager), "capacity")
    parallel = concurrency(server, queue).maximum
    path = f"servers.{server.name}.settings.shared_capacity"
    if shared < parallel:
        message = f"The server rejects work beyond {shared} requests while {parallel} messages could run in parallel."
        return Verdict("violated", message, {path: parallel})
    if own is None:
        return None
    if own <= shared:
        return Verdict("ok", f"The capacity {own} is reached before the {shared} of the whole server.")
    message = f"The capacity {own} of the work manager is never reached: the whole server has {shared}."
    return Verdict("ignored", message, {path: own})
