/** A stable tenth of the posts, whose advice reviewers see after their decision. As `is_blind` in SQL. */
export function isBlind(postId: number): boolean {
  return ((BigInt(postId) * 2_654_435_761n) % 4_294_967_296n) * 10n < 4_294_967_296n;
}
