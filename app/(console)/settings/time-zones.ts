/** ICU lists these under former names. */
const renamed: Readonly<Record<string, string>> = {
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

export function zoneName(zone: string): string {
  return renamed[zone] ?? zone.replaceAll("_", " ");
}

export interface ZoneGroup {
  region: string;
  zones: { value: string; label: string }[];
}

/** Labels begin with the city, so that typing "kath" finds Kathmandu. */
export function zoneGroups(): ZoneGroup[] {
  const groups = new Map<string, ZoneGroup["zones"]>();
  for (const value of Intl.supportedValuesOf("timeZone")) {
    const [region = "", ...city] = zoneName(value).split("/");
    if (city.length === 0) continue;
    const zones = groups.get(region) ?? [];
    zones.push({ value, label: city.join(", ") });
    groups.set(region, zones);
  }
  return [...groups].map(([region, zones]) => ({
    region,
    zones: zones.sort((a, b) => a.label.localeCompare(b.label, "en")),
  }));
}
