const UNITS = ["KiB", "MiB", "GiB"] as const;
const few = new Intl.NumberFormat("en", { style: "unit", unit: "byte", unitDisplay: "long" });
const many = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/**
 * Bytes as people read them, in units of 1024 as the limits are set: `512 bytes`, `2 MiB`, `1.5 GiB`. Intl has the
 * units of 1000 only.
 * @param bytes 0 or more
 */
export function readableSize(bytes: number): string {
  if (bytes < 1024) return few.format(bytes);
  let size = bytes;
  let unit = -1;
  // What would be written as 1,024 of one unit is 1 of the next.
  while (unit < UNITS.length - 1 && Number(size.toFixed(1)) >= 1024) {
    size /= 1024;
    unit++;
  }
  return `${many.format(size)} ${UNITS[unit]}`;
}
