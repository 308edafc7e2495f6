"""Observed equipment: the same, with its decoders counted and its describers traced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from service.equipment import Equipment, MakeDescriber
from service.operations.decoder_deaths import counted
from service.operations.metrics import Metrics
from service.operations.traced_describer import TracedDescriber
from service.operations.tracing import NoTracer, Tracer


def observed(equipment: Equipment, metrics: Metrics, tracer: Tracer) -> Equipment:
    """For all streams of a process."""
    media = counted(equipment.media, metrics)
    if isinstance(tracer, NoTracer):
        return replace(equipment, media=media)
    return replace(equipment, media=media, describers=_traced(equipment.describers, tracer))


def _traced(makers: Mapping[str, MakeDescriber], tracer: Tracer) -> Mapping[str, MakeDescriber]:
    def traced(make: MakeDescriber) -> MakeDescriber:
        return lambda config: TracedDescriber(make(config), tracer)

    return {name: traced(make) for name, make in makers.items()}
