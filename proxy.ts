import { NextResponse, type NextRequest } from "next/server";

/**
 * Sets the Content-Security-Policy of every page, with a new nonce of 128 random bits. Next reads the nonce from the
 * request header and adds it to its scripts. The constant security headers are in next.config.mjs, so that API requests do
 * not pass through here.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  // A layout does not know the path of its page, and the sign-in page returns there (lib/accounts/current-member.ts).
  // Overwrites the header of the client.
  headers.set("x-page", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

function contentPolicy(nonce: string): string {
  // React's development build needs eval for server stacks. The bundler replaces NODE_ENV by a constant.
  const evaluation = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    // Charts and popovers use style attributes. The HTML of posts keeps neither style nor class.
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
      // Everything that may be answered by a page, also for prefetches and unknown files. The proxy would halve the speed
      // of the API. Of files only those of app and public are left out.
      source:
        "/((?!api(?:/|$)|_next/static/|media/(?:avatar/[^/]+|(?:emoji|duplicate)/[^/]+/[^/]+|post/[^/]+/[^/]+(?:/file)?)$|(?:health|info|livez|metrics|readyz|icon\\.svg|desk\\.webp|desk-dark\\.webp)$).*)",
    },
  ],
};
