import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';

import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const port = Number(process.argv[2]);

// A server for each request, as the SDK wants it.
function greeter() {
    const server = new McpServer({ name: 'peer-typescript', version: '1.0.0' });
    server.registerTool(
        'hello',
        {
            title: 'Say hello',
            description: 'Greets a person by name.',
            inputSchema: z.object({ name: z.string().describe('The name of the person to greet') }),
            annotations: { readOnlyHint: true, openWorldHint: false },
        },
        async ({ name }) => ({ content: [{ type: 'text', text: `Hello, ${name}!` }] }),
    );
    return server;
}

if (cluster.isPrimary) {
    for (let worker = 0; worker < availableParallelism(); worker++) cluster.fork();
    process.on('SIGTERM', () => process.exit());
} else {
    const serve = toNodeHandler(createMcpHandler(greeter));
    const validateHost = localhostHostValidation();
    const validateOrigin = localhostOriginValidation();
    createServer((request, response) => {
        if (!validateHost(request, response) || !validateOrigin(request, response)) return;
        void serve(request, response);
    }).listen(port, '127.0.0.1');
}
