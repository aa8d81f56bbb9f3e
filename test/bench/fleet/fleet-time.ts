/** Monday, 5 January 2026, 09:00 UTC: a full hour, as sweeps begin with the minute. */
export const fleetStartMs = 1_767_603_600_000;
export const minuteMs = 60_000;
