/** How history names a member: readable without looking anything up. */
export function memberLabel(member: { name: string; email: string }): string {
  return `${member.name} <${member.email}>`;
}
