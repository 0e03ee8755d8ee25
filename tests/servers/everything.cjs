/*
 * A server written with the TypeScript SDK: the tools of `everything.py`, which says what they are for.
 *
 * `node everything.cjs [http]`, with NODE_PATH naming the folder of the packages. Over HTTP it prints its address once
 * it listens; it then keeps one session for each client of the handshake era, and none for the others.
 */

const { randomUUID } = require("node:crypto");
const { createServer } = require("node:http");
const { toNodeHandler } = require("@modelcontextprotocol/node");
const {
  McpServer,
  UrlElicitationRequiredError,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  isLegacyRequest,
} = require("@modelcontextprotocol/server");
const { serveStdio } = require("@modelcontextprotocol/server/stdio");

const EVERYTHING = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 2, maxLength: 20 },
    email: { type: "string", title: "E-mail", format: "email", default: "mo@example.org" },
    birthday: { type: "string", title: "Birthday", format: "date" },
    age: { type: "integer", title: "Age", minimum: 0, maximum: 150, default: 30 },
    score: { type: "number", title: "Score", default: 95.5 },
    verified: { type: "boolean", title: "Verified", default: true },
    status: { type: "string", title: "Status", enum: ["active", "inactive", "pending"], default: "active" },
    priority: {
      type: "string",
      title: "Priority",
      oneOf: [
        { const: "low", title: "Low" },
        { const: "high", title: "High" },
      ],
      default: "low",
    },
    rights: {
      type: "array",
      title: "Rights",
      items: { type: "string", enum: ["read", "write", "execute"] },
      minItems: 1,
      maxItems: 2,
      default: ["read"],
    },
    topics: {
      type: "array",
      title: "Topics",
      items: {
        anyOf: [
          { const: "bug", title: "Bug fix" },
          { const: "docs", title: "Documents" },
        ],
      },
      default: ["bug"],
    },
    size: {
      type: "string",
      title: "Size",
      enum: ["small", "large"],
      enumNames: ["Small size", "Large size"],
      default: "small",
    },
  },
  required: ["name"],
};
const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const SURE = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] };
const CASE = fromJsonSchema({
  type: "object",
  properties: { case: { type: "string" }, count: { type: "integer" } },
  required: ["case", "count"],
});

const pages = new Map();
const needed = new Map();
const site = createServer((request, response) => {
  pages.get(request.url.slice(1)).visit();
  response.end();
});

function newPage(tell = () => {}) {
  const page = { id: randomUUID() };
  page.url = `http://127.0.0.1:${site.address().port}/${page.id}`;
  page.seen = new Promise((resolve) => {
    page.visit = () => {
      page.visited = true;
      resolve();
      tell(page.id);
    };
  });
  pages.set(page.id, page);
  return page;
}

const said = (value) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { content: [{ type: "text", text }] };
};
const link = (page) => ({ message: "Please sign in", url: page.url });

function everything({ era }) {
  const server = new McpServer({ name: "everything", version: "1.0.0" });
  const completed = (id) => server.server.createElicitationCompletionNotifier(id)().catch(console.error);

  server.registerTool("form", {}, (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, "form");
    if (answer.kind === "elicit") return said({ action: answer.action, content: answer.content });
    const asked = inputRequired.elicit({ message: "Every kind of field", requestedSchema: EVERYTHING });
    return inputRequired({ inputRequests: { form: asked } });
  });

  server.registerTool("link", {}, async (ctx) => {
    if (era === "legacy") {
      const page = newPage(completed);
      const { action } = await ctx.mcpReq.elicitInput({ mode: "url", elicitationId: page.id, ...link(page) });
      if (action === "accept") await page.seen;
      return said(action);
    }
    const state = ctx.mcpReq.requestState();
    const page = state ? pages.get(state) : newPage();
    const answer = inputResponse(ctx.mcpReq.inputResponses, "page");
    if (answer.kind === "elicit" && (answer.action !== "accept" || page.visited)) return said(answer.action);
    return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(link(page)) }, requestState: page.id });
  });

  server.registerTool("links", { inputSchema: CASE }, (args) => {
    if (!needed.has(args.case)) needed.set(args.case, Array.from({ length: args.count }, () => newPage(completed)));
    const missing = needed.get(args.case).filter((page) => !page.visited);
    if (missing.length === 0) return said("done");
    throw new UrlElicitationRequiredError(
      missing.map((page) => ({ mode: "url", elicitationId: page.id, ...link(page) })),
    );
  });

  server.registerTool("rounds", {}, (ctx) => {
    const answers = ctx.mcpReq.inputResponses;
    const sure = inputResponse(answers, "sure");
    if (sure.kind === "elicit") return said([...JSON.parse(ctx.mcpReq.requestState()), sure.content.sure]);
    const name = inputResponse(answers, "name");
    if (name.kind === "elicit") {
      const asked = inputRequired.elicit({ message: "Are you sure?", requestedSchema: SURE });
      const state = [name.content.name, inputResponse(answers, "page").action];
      return inputRequired({ inputRequests: { sure: asked }, requestState: JSON.stringify(state) });
    }
    const inputRequests = {
      name: inputRequired.elicit({ message: "Who are you?", requestedSchema: NAME }),
      page: inputRequired.elicitUrl(link(newPage())),
    };
    return inputRequired({ inputRequests, requestState: "first" });
  });

  return server;
}

function serveHttp() {
  const sessions = new Map();
  const modern = createMcpHandler(everything, { legacy: "reject" });

  async function session(request) {
    const known = request.headers.get("mcp-session-id");
    if (known) return sessions.get(known);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await everything({ era: "legacy" }).connect(transport);
    return transport;
  }

  const fetch = async (request) =>
    (await isLegacyRequest(request)) ? (await session(request)).handleRequest(request) : modern.fetch(request);
  const http = createServer(toNodeHandler({ fetch }));
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
}

site.listen(0, "127.0.0.1", () => (process.argv[2] === "http" ? serveHttp() : serveStdio(everything)));
site.unref();
