/** "America/New_York" → "America/New York". */
export function zoneName(zone: string): string {
  return zone.replaceAll("_", " ");
}

/** How a zone stands to UTC at a moment (ms): "UTC+05:30"; "" for a zone this browser does not know. */
export function zoneOffset(zone: string, moment: number): string {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      timeZoneName: "longOffset",
    }).formatToParts(moment);
    const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "GMT";
    return name === "GMT" ? "UTC" : name.replace("GMT", "UTC");
  } catch {
    return "";
  }
}

/** Every zone this browser knows, UTC first. */
export function allZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
