export interface PostTextProps {
  /** The only foreign HTML of the page, sanitised by the server. */
  html: string;
  lang?: string | null;
}

export function PostText({ html, lang }: PostTextProps) {
  return (
    <div
      dir="auto"
      lang={lang ?? undefined}
      className="post-text"
      // Sanitised on intake; the content security policy forbids scripts without its nonce.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
