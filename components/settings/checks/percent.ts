/** 0.45 → "45". Null → "". */
export function asPercent(share: number | null): string {
  return share === null ? "" : String(Math.round(share * 10_000) / 100);
}

/** "45" → 0.45. Null unless it is a number from `min` to 100 with at most two decimals. */
export function readPercent(text: string, min: number): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(trimmed)) return null;
  const percent = Number(trimmed);
  return percent >= min && percent <= 100 ? Math.round(percent * 100) / 10_000 : null;
}
