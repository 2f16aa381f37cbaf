import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Maximum number of open connections. */
const maxConnections = 256;

/**
 * Closes the connection that has been idle for the longest time when there are too many: other programs of the machine
 * can open connections without the token, and must not lock out pages. Connections with a request in work stay.
 */
export function limitConnections(server: Server): void {
  const idle = new Set<Socket>();
  let open = 0;
  server.on("connection", (socket) => {
    open++;
    socket.once("close", () => {
      open--;
      idle.delete(socket);
    });
    if (open > maxConnections) ([...idle.keys()][0] ?? socket).destroy();
    if (!socket.destroyed) idle.add(socket);
  });
  server.on("request", ({ socket }, response) => {
    idle.delete(socket);
    response.once("close", () => void (socket.destroyed || idle.add(socket)));
  });
}
