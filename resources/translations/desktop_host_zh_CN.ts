<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>{server} wants to start for the first time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This runs a program on your computer with your rights. Allow it only if you know where it comes from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Desktop Host connects to this address. What you send to its tools goes there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow and start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sends headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gets variables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} asks you to fill in a form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to fill in. Send confirms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 answer to correct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} answers to correct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server withdrew this question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This question ended with its call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This question is over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was sent. What you typed is still here to copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {m}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>while running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>while running one of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why do you decline? The reason stays on this computer. Enter declines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decline with a reason…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the whole call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy what I typed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started by you {age} ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} wants you to open a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens in your browser. Desktop Host never loads it, and learns only that you agreed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open anyway…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not finished yet, says the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking the server…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish in your browser, then continue here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish in your browser. This window closes when the server says that you are done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} wants to know your folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It learns the names and places of the folders you tick, not what is in them. A folder told here is a hint to the server, not a lock: what it can really read is up to your system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have no folders in your workspace yet. You can tell the server that there are none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>≈ {n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen by you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server wants {n}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be passed on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the system prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the exact request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>User</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You write the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} wants to ask a language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the answer to {server}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is answering…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The exact request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been sent to a model yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server has not seen this answer yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer to the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference to the model’s text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the answer here. It goes to the server as yours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model had finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It reached the longest answer allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It came to a stop word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why it stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Servers take turns. Closing a question’s window cancels it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} questions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is waiting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · during {tool}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A request to a language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which folders may it know?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May it start?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for you: {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command or address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>uvx mcp-server-time   or   https://example.org/mcp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How you call it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One a line: NAME=value. For a secret write NAME=${secret:NAME}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Protocol era</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>handshake</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>modern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add and start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the server a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A quotation mark in the command is not closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write each variable as NAME=value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meet your servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A server offers tools and may ask you things. You see who asks and why, and nothing is sent without you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the demo servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A travel planner runs on this computer, twice. Nothing leaves it. You meet forms, links and model requests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste a command or an address. You see what it wants to run before it starts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools  {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this server…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it wrote last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This server is not running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This server is off. Start it to see its tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {server} from your servers?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is stopped and taken out of servers.json. A copy of the file is kept beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 question waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} questions waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready · 1 tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready · {n} tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Windows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep in the keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not needed for most models on this computer. It is kept in the system’s keyring only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A key is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key is in the keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key is removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There: {models}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No address is set, so you write the answers yourself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arguments as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not JSON yet (line {line}, column {column}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The arguments must be one JSON object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can destroy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open world</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders you offer to servers. They tell a server where to work; they do not lock it out of others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No folder yet. Servers that ask are told that there is none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offered to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no servers yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {name} from the workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is about: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the answer back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut; copy to have all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exactly this will be sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the result as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tool reports an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masked. It is not kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>Something went wrong here while this was handled. Nothing was sent; the server was told so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The call was given up because you closed one of its questions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The call was given up because you declined one of its questions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The call was given up because one of its questions could not be answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The call was given up because one of its questions was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You stopped the whole call.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server asked for more but did not say what. The call was given up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to the server ended before it answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The call failed inside Desktop Host ({what}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The request did not get through ({what}). The connection is kept; try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server has no tool of this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is not running. Start it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server asked exactly the same more than {count} times, so the call was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server answered with error {code}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server said nothing for {seconds} seconds, so the call was ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is {size} MB, too large to show. It was saved to {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server asked for more {count} times without an end, so the call was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server asked for something it was not offered ({method}). The call was given up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server answered with a result of unknown type “{kind}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not connect ({what}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{command}” fetches whatever version is newest. What runs tomorrow may not be what you allow today.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command “{command}” was not found. Check that it is installed and spelled right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command “{command}” may not be run. Check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not started, because you did not allow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This address is not encrypted. Others on the network can read and change what you send.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refused the connection with error {code}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not answer in time. It may speak another protocol era; see its settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server cannot be reached ({what}). Check the address and the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not started: “{name}” has no value. Set it as a secret or an environment variable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No rule covers this, so you are asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It ended before it could be decided.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}, line {line}, column {column}: this is not JSON ({what}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: the file must hold one JSON object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: the file is not UTF-8 text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: the file cannot be read ({what}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This form asks for a password, key, token or card number. Servers must not ask for these in a form.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server’s suggestion for “{field}” does not fit its own rules and was left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This cannot be checked against the server’s rules, so it cannot be sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sent no description of its form (requestedSchema).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of the offered values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be more than {bound}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be less than {bound}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose yes or no.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a date yet. Example: 2027-06-15</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a date with time and zone yet. Example: 2027-06-15T09:30:00+02:00</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a whole address yet. Example: name@example.org</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a whole number yet. Example: 3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not JSON yet (line {line}, column {column}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be a multiple of {step}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a number yet. Example: 1.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a whole address yet. Example: https://example.org/page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This number is too large to send.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be from {least} to {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This does not have the form the server wants: {pattern}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server’s rule for this field takes too long to check, so this cannot be sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server’s rule for “{field}” cannot be read and was not applied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server requires “{field}” but does not describe it, so its form cannot be answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This does not fit the server’s rules: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server’s rules for its form have a mistake; each field was checked by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose at least {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be at most {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This may have at most {count} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose at most {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must have at least {count} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be at least {least}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{field}” refers to a description that is not there; it is asked for as JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{field}” refers to itself; it is asked for as JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{field}” has no usable description; it is asked for as JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{field}” refers to a description on the network, which is never fetched; it is asked for as JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{field}” cannot be drawn as a simple field; it is asked for as JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system’s keyring cannot be used ({what}). Unlock it, or install one, and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A form with more than {count} fields was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A question longer than {count} KB was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sent the same question twice; the second one was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many questions of {server} are waiting, so one more was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address is a bare number, {host}, not a name. Real services rarely use one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No browser could be opened. The server was told that you cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sent a link that is no valid web address. It was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sent a link that is not encrypted. It was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address uses the unusual port {port}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name {host} has letters of other scripts, which can imitate a name you know. Really contacted: {sent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sent a link that is no web address. It was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page is on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sent a link that is too long. It was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address hides its host behind a user name. Really contacted: {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model’s answer broke off. Nothing was sent to the server; you can ask again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} is busy. Try again in {seconds} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} did not accept the key. Check it in Settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of type “{kind}” cannot be passed to this model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the first {count} stop sequences can be passed on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} does not know this model or address. Check both in Settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} refused the request (status {status}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model “{model}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} cannot be reached. Check the address in Settings and that the model server runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen because the server hints “{hint}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model here matches the server’s hint “{hint}”, so your own choice is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model you chose in Settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is set up, so you write the answer. Add one in Settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The result does not match the tool’s own description: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matches its schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The result could not be checked against the tool’s description.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tool describes a structured result but sent none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: an entry is not a folder and was left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{path}” is not a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server’s request to a model is malformed ({field}). It was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server asked to include the context of other servers. None is included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message {number} holds a part of unknown type “{kind}”, which no model can be given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server ended by itself (exit code {code}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server ended by itself (exit code {code}). Its last words: {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}, line {line}, column {column}: “{key}” is not usable. The other servers are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a server called “{name}” already. Choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: “{key}” must be an object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any endpoint that speaks OpenAI’s chat completions, for example http://127.0.0.1:11434/v1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave empty to choose from what the address offers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light, dark, or as the system has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: the value of “{key}” is not usable; the default is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text holds invisible or direction-changing characters. They are written out here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
