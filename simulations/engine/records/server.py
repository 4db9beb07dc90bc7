"""The state of the instances of pools: threads, servants, ports, and what they share."""

from simulations.engine.network.model import Dispatch, PoolGrowth
from simulations.engine.records.codes import Stage, State
from simulations.engine.records.record import Record, Word


class Worked(Record):
    """What is measured of a member in one segment, thread-seconds."""

    seconds_busy: float
    seconds_idle_no_work: float
    seconds_idle_blocked: float
    seconds_held: float
    seconds_cpu: float
    seconds_held_back: float
    seconds_away: float


class Member(Worked):
    """One instance of a pool."""

    busy: float
    held: float
    since: float
    cpu_virtual: float
    cpu_since: float
    service_sum: float
    servant_start_time: float
    floor: float  # virtual time at which idle work joins
    growth_interval: float
    restart_time: float
    outage_time: float
    rate_before: float
    pool: int
    beyond: int
    instance: int
    first_port: int
    ports: int
    first_thread: int
    threads: int
    existing: int
    free: int  # head of the list of idle threads
    idle: int
    starving: int  # threads that idle because messages are kept back
    cpus: int
    cpu_active: int
    cpu_slot: int
    first_servant: int
    servants: int
    threads_per_servant: int
    policy: Dispatch
    growth: PoolGrowth
    starting: int
    parked: int  # head of the list of absent threads
    growth_slot: int
    target: int
    direction: int
    finished: int
    first_constraint: int
    constraints: int
    first_resource: int
    lottery_draws: int
    goals: int
    queue_capacity: int
    away: int
    failure_slot: int
    return_slot: int
    lottery_key: Word
    host: int  # the member whose CPUs its threads use
    first_cpu: int  # of the heap of CPU parts


class Port(Record):
    """One stream at one instance."""

    agent_time: float
    round_trip: float
    poll_interval: float
    used: float
    since: float
    used_total: float
    stream: int
    member: int
    instance: int
    destination: int
    assigned: int  # queue
    prepared: int  # queue
    running_list: int  # queue
    inflight: int
    running: int
    concurrency: int
    high: int
    low: int
    closed: int
    agent_message: int
    from_start: int  # in flight while the agent has it
    stopped: int  # its stream was, when the server went away
    agent_slot: int
    reject_slot: int
    dispatch_slot: int
    starving: int  # threads that idle because its gate or its credit keeps messages back
    opened: int
    ticket: int
    limit: int
    threshold: int
    credit: int
    asked: int
    connection_limit: int
    connection_count: int
    unanswered: int
    halted: int
    answer_slot: int
    pollers: int
    wanted: int
    sessions: int
    waiters: int  # queue of threads that wait inside receive()
    poll_slot: int
    batch_limit: int
    starts: int
    first_link: int
    links: int
    wanting: int
    first_session: int
    pipeline: int
    ready: int  # queue of sessions that wait for a thread


class Thread(Record):
    since: float
    rest: float
    later_cpu: float
    later_wait: float
    began: float  # its transaction
    member: int
    servant: int
    state: State
    next: int
    prev: int
    message: int
    port: int
    stage: Stage
    batch: int
    session: int
    alone: int  # its message must not share a transaction


class Servant(Record):
    member: int
    first_thread: int
    slot: int
    lost: int


class Constraint(Record):
    minimum: int
    maximum: int
    capacity: int
    running: int


class Session(Record):
    port: int
    queue: int
    busy: int
    next: int
    prev: int
    listed: int


class Resource(Record):
    """A downstream resource at one instance."""

    units: int
    used: int
    waiters: int  # queue of threads
