/** `part` of `whole` in percent, two decimals; 0 when the whole is nothing (contract §4). */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
