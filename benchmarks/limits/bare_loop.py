"""The least that a throttled queue costs on this machine: a loop for this one model that measures next to nothing.

It knows one queue, one throttle, exponential times and a histogram; no message records, no parts of latency, no
integrals but one, no timeline, no checks. What the engine takes beyond it is the price of being general and of
measuring.
"""

import math

import numpy as np
from numba import njit

from simulations.engine.draws.numbers import logarithm, uniform

BINS = 14_336
BLOCK = 64
"""Exponential numbers drawn ahead at a time, as the engine does it."""


@njit
def _draw(block, key, number):
    for i in range(BLOCK):
        block[i] = uniform(key, number + i)
    for i in range(BLOCK):
        block[i] = -logarithm(block[i])


@njit(inline="always")
def _next(block, key, number):
    offset = number & (BLOCK - 1)
    if offset == 0:
        _draw(block, key, number)
    return block[offset]


@njit(inline="always")
def _sink(times, arrivals, size, time, arrival):
    """Put an entry in place of the root of a 4-ary heap."""
    place = 0
    while True:
        first = 4 * place + 1
        if first >= size:
            break
        best = first
        if first + 3 < size:
            left = first + np.int64(times[first + 1] < times[first])
            right = first + 2 + np.int64(times[first + 3] < times[first + 2])
            best = left + (right - left) * np.int64(times[right] < times[left])  # without a branch
        else:
            for child in range(first + 1, size):
                if times[child] < times[best]:
                    best = child
        if times[best] >= time:
            break
        times[place], arrivals[place] = times[best], arrivals[best]
        place = best
    times[place], arrivals[place] = time, arrival


@njit(inline="always")
def _rise(times, arrivals, size, time, arrival):
    place = size
    while place > 0 and times[(place - 1) >> 2] > time:
        times[place], arrivals[place] = times[(place - 1) >> 2], arrivals[(place - 1) >> 2]
        place = (place - 1) >> 2
    times[place], arrivals[place] = time, arrival


@njit
def run(messages, rate, mean, threads, high, low):
    """Simulate and return the number of arrivals and completions, and the mean number of busy threads."""
    waiting, prepared = np.zeros(1 << 20), np.zeros(1 << 12)
    first, last, ready, behind = 0, 0, 0, 0
    times, arrivals, histogram = np.zeros(threads), np.zeros(threads), np.zeros(BINS, np.int64)
    busy, inflight, blocked, done, drawn, events = 0, 0, False, 0, 0, 0
    now, area, number = 0.0, 0.0, 0
    gaps, demands, arriving, serving = np.zeros(BLOCK), np.zeros(BLOCK), np.uint64(1), np.uint64(2)
    following = _next(gaps, arriving, 0) / rate
    while done < messages:
        events += 1
        time = times[0] if busy > 0 else math.inf
        if time <= following:
            area += busy * (time - now)
            now = time
            bits = np.float64(now - arrivals[0]).view(np.int64)
            histogram[min(max((bits >> 44) - (1023 - 24) * 256, 0), BINS - 1)] += 1
            done, inflight = done + 1, inflight - 1
            blocked = blocked and inflight > low
            if behind > ready:
                _sink(times, arrivals, busy, now + _next(demands, serving, drawn) * mean, prepared[ready & 4095])
                ready, drawn = ready + 1, drawn + 1
            else:
                busy -= 1
                _sink(times, arrivals, busy, times[busy], arrivals[busy])
        else:
            area += busy * (following - now)
            now = following
            waiting[last & 1048575] = now
            last, number = last + 1, number + 1
            following = now + _next(gaps, arriving, number) / rate
        while last > first and not blocked:
            prepared[behind & 4095] = waiting[first & 1048575]
            first, behind, inflight = first + 1, behind + 1, inflight + 1
            blocked = inflight >= high
        while busy < threads and behind > ready:
            _rise(times, arrivals, busy, now + _next(demands, serving, drawn) * mean, prepared[ready & 4095])
            ready, drawn, busy = ready + 1, drawn + 1, busy + 1
    return events, area / now
