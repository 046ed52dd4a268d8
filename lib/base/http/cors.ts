/**
 * Headers for an origin listed in CORS_ORIGINS. No credentials: other origins use an API key, not a member's session.
 */
export function corsHeaders(
  origin: string | null,
  allowed: string[],
  preflightAllow?: string,
): Record<string, string> {
  if (allowed.length === 0) return {};
  if (origin === null || !allowed.includes(origin)) return { Vary: "Origin" };
  const headers: Record<string, string> = {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers":
      "ETag, Link, Location, Retry-After, X-Delivery-Count, X-Request-Id, X-Reservation-Expires-At, X-Reservation-Id, X-Total-Count",
    Vary: "Origin",
  };
  if (preflightAllow !== undefined) {
    headers["Access-Control-Allow-Methods"] = preflightAllow;
    headers["Access-Control-Allow-Headers"] =
      "Authorization, Content-Type, If-Match, X-API-Key, X-Request-Id";
    headers["Access-Control-Max-Age"] = "600";
  }
  return headers;
}
