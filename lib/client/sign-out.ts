import { apiFetch } from "./api-fetch.ts";

/** Ends the session and opens the sign-in page. @throws ApiFailure without a response, Error for a refusal */
export async function signOut(): Promise<void> {
  const { csrfToken } = await apiFetch<{ csrfToken: string }>("/api/auth/csrf");
  // next-auth's own client would add session polling.
  const response = await fetch("/api/auth/signout", {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, json: "true", callbackUrl: "/sign-in" }),
  });
  // The session has not ended, and the cookie is still there.
  if (!response.ok) throw new Error(`sign-out answered ${response.status}`);
  // A full page load clears the session's data from memory.
  window.location.assign("/sign-in");
}
