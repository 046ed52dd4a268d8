/** How history names a key. */
export function keyLabel(key: { name: string; last_characters: string }): string {
  return `${key.name} (…${key.last_characters})`;
}
