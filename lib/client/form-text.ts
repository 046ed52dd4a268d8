/** The text of a field without spaces around it; empty for a field that the form does not have, and for a file. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
