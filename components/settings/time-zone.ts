/** Cities that browsers still list under a name they no longer bear. */
const present: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Godthab": "America/Nuuk",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho Chi Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** "America/New_York" → "America/New York". */
export function zoneName(zone: string): string {
  return present[zone] ?? zone.replaceAll("_", " ");
}

/**
 * How well a zone answers a search, for a list in order of it: 2 when a part of its name begins so, 1 when it is
 * somewhere in it or in the offset, 0 not at all.
 * @param texts name and offset, as they are shown
 */
export function zoneMatch(texts: readonly string[], search: string): number {
  const asked = search.trim().toLowerCase().replaceAll("_", " ");
  const shown = texts.map((text) => text.toLowerCase());
  if (
    shown.some((text) =>
      text.split(/[/ ]/).some((part, index, all) => all.slice(index).join(" ").startsWith(asked)),
    )
  )
    return 2;
  return shown.some((text) => text.includes(asked)) ? 1 : 0;
}

/** How a zone stands to UTC at a moment (ms): "UTC+05:30"; "" for a zone this browser does not know. */
export function zoneOffset(zone: string, moment: number): string {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      timeZoneName: "longOffset",
    }).formatToParts(moment);
    const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "GMT";
    return /^GMT([+-]00:00)?$/.test(name) ? "UTC" : name.replace("GMT", "UTC");
  } catch {
    return "";
  }
}

/** Every zone this browser knows, UTC first. */
export function allZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
