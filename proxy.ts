import { NextResponse, type NextRequest } from "next/server";

/**
 * Gives every page its Content-Security-Policy with a fresh nonce (128 random bits). Next reads the nonce from the
 * request's header and puts it on its own scripts. The other security headers never change and stand in
 * next.config.mjs, so the API has them without passing through here.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  // A layout is not told its page's address; the sign-in page leads back there (lib/auth/current-member.ts).
  // Written anew each time, so what a caller sends under this name is lost.
  headers.set("x-page", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

function contentPolicy(nonce: string): string {
  // React's development build rebuilds server stacks with eval. The bundler writes this constant in at build time.
  const evaluation = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    // Charts and floating panels are placed by style attributes; a post's HTML keeps neither style nor class.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self'",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = {
  matcher: [
    {
      // Pages only: no API (it would halve its speed), no media, no build output, no probes, no files.
      source: "/((?!api(?:/|$)|_next/|media/|(?:health|info|livez|metrics|readyz)$|.*\\.[a-zA-Z0-9]+$).*)",
      // A prefetch is data for the page that is open already, under that page's policy.
      missing: [
        { type: "header", key: "next-router-prefetch" },
        { type: "header", key: "purpose", value: "prefetch" },
      ],
    },
    {
      // An author's address ends as a file's name does: /authors/alice@mastodon.social.
      source: "/authors/:account",
      missing: [
        { type: "header", key: "next-router-prefetch" },
        { type: "header", key: "purpose", value: "prefetch" },
      ],
    },
  ],
};
