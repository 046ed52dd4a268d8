import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { reviewState, StatePill } from "./badge.tsx";
import { Button } from "./button.tsx";
import { ClockProvider } from "./clock-context.tsx";
import { cn } from "./cn.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { initials } from "./avatar.tsx";
import { Field } from "./field.tsx";
import { HashtagChip } from "./hashtag-chip.tsx";
import { Input } from "./input.tsx";
import { MediaThumb } from "./media-thumb.tsx";
import { Pagination } from "./pagination.tsx";
import { PostText } from "./post-text.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { Stat } from "./stat.tsx";

const html = renderToStaticMarkup;
const text = (markup: string) => markup.replace(/<[^>]*>/g, "");

describe("cn", () => {
  it("separates sizes from colours", () => {
    expect(cn("text-13 text-muted", "text-14")).toBe("text-muted text-14");
    expect(cn("h-control", "h-control-sm")).toBe("h-control-sm");
  });
});

describe("Field", () => {
  const field = html(
    <Field label="Server" error="Not a host name" required>
      <Input />
    </Field>,
  );
  it("joins label, control and error", () => {
    const id = /<label for="([^"]+)"/.exec(field)?.[1];
    expect(field).toContain(`id="${id}" required="" aria-describedby="${id}-note" aria-invalid="true"`);
    expect(field).toContain(`<p id="${id}-note"`);
  });
});

describe("Button", () => {
  it("is not a submit button by default, names its key and is busy while pending", () => {
    const button = html(
      <Button kbd="A" pending>
        Approve
      </Button>,
    );
    expect(button).toContain('type="button"');
    expect(button).toContain('aria-keyshortcuts="A"');
    expect(button).toContain('aria-busy="true"');
    expect(button).not.toContain(" disabled=");
  });
});

describe("states", () => {
  it("have a shape and a word", () => {
    const pill = html(<StatePill state="held" detail="blocked hashtag" />);
    expect(pill).toContain("<svg");
    expect(text(pill)).toBe("Held: blocked hashtag");
  });
  it("follow from a post", () => {
    expect(reviewState({ approved: null })).toBe("unreviewed");
    expect(reviewState({ approved: true, auto_reject_reason: null })).toBe("approved");
    expect(reviewState({ approved: false, auto_reject_reason: "blocked_user" })).toBe("auto_rejected");
  });
  it("name a blocked hashtag in words", () => {
    expect(text(html(<HashtagChip tag="#nsfw" blocked />))).toBe("nsfw (blocked)");
  });
});

describe("Stat", () => {
  it("shows a dash while loading", () => {
    expect(text(html(<Stat label="Delivered" value={null} />))).toBe("Delivered–Counting");
    expect(text(html(<Stat label="Delivered" value={0} />))).toBe("Delivered0");
  });
});

describe("RelativeTime", () => {
  const at = (iso: string | null) =>
    html(
      <ClockProvider timeZone="Europe/Berlin" renderedAt="2026-03-12T12:00:00.000Z">
        <RelativeTime at={iso} fallback="Never" />
      </ClockProvider>,
    );
  it("renders on the server with the exact time in the member's zone", () => {
    expect(text(at("2026-03-12T11:55:00.000Z"))).toBe("5 min ago, Thu, 12 Mar 2026, 12:55:00 CET");
  });
  it("handles invalid and missing dates", () => {
    expect(text(at("yesterday-ish"))).toBe("Never");
    expect(text(at(null))).toBe("Never");
  });
});

describe("DataTable", () => {
  interface Row {
    id: number;
    name: string;
    posts: number;
  }
  const columns: Column<Row>[] = [
    { key: "name", header: "Name", primary: true, cell: (row) => row.name },
    { key: "posts", header: "Posts", numeric: true, cell: (row) => row.posts },
  ];
  const rows: Row[] = [{ id: 1, name: "cats", posts: 12 }];
  it("stays a table for screen readers in the card layout", () => {
    const table = html(
      <DataTable caption="Streams" columns={columns} rows={rows} rowKey={(row) => row.id} />,
    );
    expect(table).toContain('<table role="table"');
    expect(table).toContain('<th role="rowheader" scope="row"');
    expect(table).toContain('<td role="cell" data-label="Posts"');
    expect(table).toContain('<caption class="hidden-visually">Streams</caption>');
  });
  it("shows the empty state", () => {
    expect(
      html(
        <DataTable caption="x" columns={columns} rows={[]} rowKey={(row) => row.id} empty={<b>None</b>} />,
      ),
    ).toBe("<b>None</b>");
  });
});

describe("Pagination", () => {
  const at = (skip: number, total: number | null) =>
    html(<Pagination skip={skip} limit={50} total={total} hrefFor={(to) => `?skip=${to}`} />);
  it("links to the neighbours only", () => {
    expect(at(50, 3214)).toMatch(/href="\?skip=0"[\s\S]*href="\?skip=100"/);
    expect(at(3200, 3214)).not.toContain("skip=3250");
    expect(text(at(3200, 3214))).toContain("3,201–3,214 of 3,214");
  });
  it("links on while the total is unknown and renders nothing for an empty list", () => {
    expect(at(0, null)).toContain('href="?skip=50"');
    expect(at(0, 0)).toBe("");
  });
  it("links on when counting stopped and says so", () => {
    const counted = html(
      <Pagination skip={4950} limit={50} total={5000} more hrefFor={(to) => `?skip=${to}`} />,
    );
    expect(counted).toContain('href="?skip=5000"');
    expect(text(counted)).toContain("4,951–5,000 of 5,000+");
  });
  it("links back from beyond the end", () => {
    expect(at(500, 100)).toContain('href="?skip=450"');
    expect(text(at(500, 100))).toContain("– of 100");
  });
});

describe("MediaThumb", () => {
  const media = { type: "image", description: " ", width: 4000, height: 100 };
  it("shows that there is no description", () => {
    expect(text(html(<MediaThumb postId={7} index={1} media={media} showAlt />)).trim()).toBe(
      "No description",
    );
  });
  it("requests only our own address, and nothing while covered in grey", () => {
    expect(html(<MediaThumb postId={7} index={1} media={media} />)).toContain('src="/media/post/7/1"');
    expect(html(<MediaThumb postId={7} index={1} media={media} cover="grey" />)).not.toContain("<img");
  });
  it("exposes the alt text once to screen readers", () => {
    const spoken = html(
      <MediaThumb
        postId={7}
        index={1}
        media={{ type: "image", description: "a heron" }}
        showAlt
        onOpen={() => undefined}
      />,
    ).replace(/<span aria-hidden="true" class="flex.*?<\/figcaption>/, "");
    expect(spoken.match(/a heron/g)).toHaveLength(1);
    expect(spoken).toContain('aria-label="Enlarge: a heron"');
    const bare = html(
      <MediaThumb postId={7} index={1} media={{ type: "image" }} showAlt onOpen={() => undefined} />,
    );
    expect(bare).toContain('aria-label="Enlarge picture 2, no description"');
  });
  it("hides the alt text of a covered picture", () => {
    const covered = html(
      <MediaThumb postId={7} index={1} media={{ type: "image", description: "blood" }} cover="blur" />,
    );
    expect(covered).not.toContain("blood");
    expect(text(covered)).toContain("Covered");
  });
});

describe("PostText", () => {
  it("has language and direction", () => {
    expect(html(<PostText html="<p>قطة</p>" lang="ar" />)).toBe(
      '<div dir="auto" lang="ar" class="post-text"><p>قطة</p></div>',
    );
  });
});

describe("initials", () => {
  it.each([
    ["Ines Vogel", "IV"],
    ["@cat_lover@example.org", "CL"],
    ["猫 好き", "猫好"],
    ["🐈 Mio", "M"],
    ["🐈", "?"],
    ["Dora Kiss :blob_cat:", "DK"],
    ["", "?"],
    ["Zoë", "Z"],
  ])("%s → %s", (name, expected) => {
    expect(initials(name)).toBe(expected);
  });
});
