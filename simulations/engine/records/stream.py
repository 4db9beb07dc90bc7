"""The state of a stream, and what is measured of it."""

from simulations.engine.network.deliveries import Exhausted, LimitBehaviour
from simulations.engine.network.model import ArrivalKind, PollerKind
from simulations.engine.records.codes import Staging
from simulations.engine.records.record import Record, Word


class Measured(Record):
    """What is measured of a stream in the current segment, or was in one that has ended."""

    seconds_latency: float
    seconds_wait_destination: float
    seconds_wait_prepared: float
    seconds_wait_thread: float
    seconds_wait_downstream: float
    seconds_cpu: float
    seconds_waiting: float
    seconds_commit: float
    seconds_redelivery: float
    seconds_backlog: float
    seconds_prepared: float
    seconds_running: float
    seconds_blocked: float
    seconds_wasted: float
    seconds_limit: float
    seconds_limited: float
    seconds_blocked_sends: float
    seconds_resting: float
    seconds_wait_cpu: float
    seconds_wait_batch: float
    seconds_end_to_end: float
    seconds_urgent: float
    slow_messages: float  # that took at least ``slow_from``; below, their seconds by part
    slow_latency: float
    slow_wait_destination: float
    slow_wait_prepared: float
    slow_wait_thread: float
    slow_wait_downstream: float
    slow_cpu: float
    slow_waiting: float
    slow_commit: float
    slow_redelivery: float
    arrived: int
    completed: int
    failed: int
    queue_timeouts: int
    dispatch_timeouts: int
    transaction_timeouts: int
    rollbacks: int
    redeliveries: int
    dead_letters: int
    rejected: int
    dropped: int
    overtaken: int
    blocks: int
    releases: int
    topups: int
    granted: int
    batches: int
    batched: int
    admitted: int
    blocked_sends: int
    urgent: int


class Stream(Measured):
    """One destination: its parameters, its state and what is measured of it."""

    rate: float
    rate_off: float
    mean_on: float
    mean_off: float
    start: float
    period: float
    next_arrival: float
    phase_end: float
    level: float
    commit_time: float
    lifetime: float
    receive_timeout: float
    share: float
    length: float
    send_timeout: float
    quota_bytes: float
    producer_bytes: float
    bytes: float
    weight: float
    goal: float
    flow_maximum: float
    flow_minimum: float
    flow_step: float
    flow_ratio: float
    flow_climb: float
    limits: float  # sum of the limits of the producers that have one
    blocked_sends_now: float
    resting: float
    aside_since: float
    cpu_share: float
    queue_timeout: float
    dispatch_timeout: float
    retry_delay: float
    failure_rate: float
    poison_rate: float
    backlog: float
    prepared: float
    running: float
    closed: float  # gates
    inside: float
    since: float
    backlog_max: float
    prepared_max: float
    sojourn: float  # with ``arrived_sum`` one side of Little's law
    arrived_sum: float
    latency_total: float
    latency_max: float
    release_min: float
    release_max: float
    last_outcome: float
    parts_error: float
    slow_from: float  # latency, seconds
    outage_time: float
    absence_time: float
    inside_before: float  # messages inside when the outage began
    recovers_from: float  # end of the outage until as few are inside again; FOREVER otherwise
    recovery: float  # seconds from the end of the outage until then
    pool: int
    beyond: int  # its pool needs ``ext``
    first_port: int
    stride: int  # from its port at one instance to the next
    instances: int
    staging: Staging
    foreground: int
    rotation: int  # instance whose turn it is
    arrival_kind: ArrivalKind
    count: int
    period_index: int
    phase: int
    draws: int
    next_index: int
    arrival_index: int
    burst: int
    slots: int  # message slots of one arrival
    saturated: int
    first_value: int
    values: int
    law: int
    interval: int
    restart: int
    retry_limit: int
    exhausted: Exhausted
    in_place: int  # a retry keeps its thread
    stopped: int
    returned: int  # a message came back to the destination, where other instances may want it
    futile: int  # every delivery fails and is repeated without end
    hopeless: int  # messages inside of which that is known
    broken: int  # every delivery fails for now
    outage_slot: int
    absent: int  # its consumers have lost their broker
    absence_slot: int
    copies: int
    batch: int
    transactional: int
    resource: int
    chained: int  # sends messages on, or is sent some
    path: int  # from the bin of its latency to that of the time from the begin of the chain; 0 = is sent nothing
    first_send: int
    sends: int
    sent: int  # messages went on that their streams have not been offered yet
    sizes: int
    size_law: int
    producers: int
    first_producer: int
    controlled: int
    behaviour: LimitBehaviour
    quota_messages: int
    producer_batch: int
    one_way: int
    limited: int  # producers that have a limit
    lifetime_sends: int  # messages after which a new producer takes the place of one; 0 = never
    own_thresholds: int
    shared_thresholds: int
    deadline_slot: int
    blocked: int  # queue of producers
    intents: int
    session_rotation: int
    poller_kind: PollerKind
    gaps: int  # place of the gaps drawn ahead
    demands: int  # place of the demands drawn ahead
    demands_from: int  # index of the first of them
    destination: int
    delayed: int  # queue
    retry_slot: int
    was_waiting: int
    first_bin: int  # of the histogram of the current segment
    max_index: int
    total_completed: int
    series_shift: int
    arrival_key: Word
    service_key: Word
    poison_key: Word
    failure_key: Word
    size_key: Word
    loss_rate: float
    loss_key: Word
    urgent_share: float
    urgent_lines: int  # from a line of the destination to that of urgent messages; 0 = there are none
    priority_key: Word
    search: int  # law; NONE = there is none
    search_key: Word
