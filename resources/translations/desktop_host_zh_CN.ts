<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>{server} starts another program than before</source>
        <translation>{server} 要启动的程序与以前不同</translation>
    </message>
    <message>
        <source>{server} wants to start for the first time</source>
        <translation>“{server}”请求首次启动</translation>
    </message>
    <message>
        <source>This runs a program on your computer with your rights. Allow it only if you know where it comes from.</source>
        <translation>这会以你的权限在这台电脑上运行程序。请只在知道它来自哪里时允许。</translation>
    </message>
    <message>
        <source>Desktop Host connects to this address. What you send to its tools goes there.</source>
        <translation>Desktop Host 会连接到此地址。你发给它的工具的内容都会送往那里。</translation>
    </message>
    <message>
        <source>Allow and start</source>
        <translation>允许并启动</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Sends headers</source>
        <translation>发送的标头</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Program before</source>
        <translation>以前的程序</translation>
    </message>
    <message>
        <source>In folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>Gets variables</source>
        <translation>获得的变量</translation>
    </message>
    <message>
        <source>{server} asks you to fill in a form</source>
        <translation>“{server}”请你填写表单</translation>
    </message>
    <message>
        <source>There is nothing to fill in. Send confirms.</source>
        <translation>没有需要填写的内容。点击“发送”即表示确认。</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍要发送</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>You typed answers to this form {when} and did not send them.</source>
        <translation>你{when}填写过此表单，但没有发送。</translation>
    </message>
    <message>
        <source>Use them</source>
        <translation>使用这些内容</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>1 answer to correct</source>
        <translation>1 项需更正</translation>
    </message>
    <message>
        <source>{n} answers to correct</source>
        <translation>{n} 项需更正</translation>
    </message>
    <message>
        <source>and {n} more of this kind</source>
        <translation>还有 {n} 条类似提示</translation>
    </message>
    <message>
        <source>The server withdrew this question</source>
        <translation>服务器撤回了此请求</translation>
    </message>
    <message>
        <source>This question ended with its call</source>
        <translation>此请求已随调用一起结束</translation>
    </message>
    <message>
        <source>This question is over</source>
        <translation>此请求已结束</translation>
    </message>
    <message>
        <source>Nothing was sent. What you typed is still here to copy.</source>
        <translation>未发送任何内容。你输入的内容仍在这里，可以复制。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{n} of {m}</source>
        <translation>第 {n} / {m} 个</translation>
    </message>
    <message>
        <source>Why you are asked</source>
        <translation>为什么询问你</translation>
    </message>
    <message>
        <source>while running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>while running one of</source>
        <translation>正在运行以下之一</translation>
    </message>
    <message>
        <source>Why do you decline? The reason stays on this computer. Enter declines.</source>
        <translation>为什么拒绝？原因只保留在这台电脑上。按 Enter 键即拒绝。</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Decline with a reason…</source>
        <translation>说明原因并拒绝…</translation>
    </message>
    <message>
        <source>Decline all waiting from this server</source>
        <translation>拒绝此服务器的所有等待请求</translation>
    </message>
    <message>
        <source>Stop the whole call</source>
        <translation>停止整个调用</translation>
    </message>
    <message>
        <source>Copy what I typed</source>
        <translation>复制我输入的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>started by you {age} ago</source>
        <translation>由你于 {age}前启动</translation>
    </message>
    <message>
        <source>{server} wants you to open a link</source>
        <translation>“{server}”请你打开链接</translation>
    </message>
    <message>
        <source>Sign in to {server}</source>
        <translation>登录“{server}”</translation>
    </message>
    <message>
        <source>This server wants to know who you are. You sign in on the page below, in your own browser.</source>
        <translation>此服务器想知道你是谁。你在自己的浏览器中通过下面的页面登录。</translation>
    </message>
    <message>
        <source>Opens in your browser, which comes back to Desktop Host when you have signed in.</source>
        <translation>将在你的浏览器中打开；登录后浏览器会回到 Desktop Host。</translation>
    </message>
    <message>
        <source>Opens in your browser. Desktop Host never loads it, and learns only that you agreed.</source>
        <translation>链接会在你的浏览器中打开。Desktop Host 绝不会加载它，只知道你同意了。</translation>
    </message>
    <message>
        <source>Open anyway…</source>
        <translation>仍要打开…</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Not finished yet, says the server.</source>
        <translation>服务器表示尚未完成。</translation>
    </message>
    <message>
        <source>The server is told that you cancelled. You can copy the address and open it yourself.</source>
        <translation>已告知服务器你取消了操作。你可以复制链接，自行打开。</translation>
    </message>
    <message>
        <source>No browser could be opened</source>
        <translation>无法打开浏览器</translation>
    </message>
    <message>
        <source>Asking the server…</source>
        <translation>正在询问服务器…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>The whole address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Looks like</source>
        <translation>看起来像</translation>
    </message>
    <message>
        <source>Sent as</source>
        <translation>实际发送</translation>
    </message>
    <message>
        <source>Reads as</source>
        <translation>解码后</translation>
    </message>
    <message>
        <source>Finish in your browser, then continue here.</source>
        <translation>请在浏览器中完成，然后在这里继续。</translation>
    </message>
    <message>
        <source>Finish in your browser. This window closes when the server says that you are done.</source>
        <translation>请在浏览器中完成。服务器告知已完成后，此窗口会关闭。</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>再次打开</translation>
    </message>
    <message>
        <source>{server} wants to know your folders</source>
        <translation>“{server}”想知道你的文件夹</translation>
    </message>
    <message>
        <source>It learns the names and places of the folders you tick, not what is in them. A folder told here is a hint to the server, not a lock: what it can really read is up to your system.</source>
        <translation>它会得知你勾选的文件夹的名称和位置，但不会得知其中的内容。在这里告知文件夹只是给服务器的提示，并不是限制：它实际能读取什么，由你的系统决定。</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>找不到</translation>
    </message>
    <message>
        <source>You have no folders in your workspace yet. You can tell the server that there are none.</source>
        <translation>你的工作区中还没有文件夹。你可以告诉服务器没有文件夹。</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>Tell it there are none</source>
        <translation>告知没有文件夹</translation>
    </message>
    <message>
        <source>Restore all messages</source>
        <translation>恢复全部消息</translation>
    </message>
    <message>
        <source>Add a message</source>
        <translation>添加消息</translation>
    </message>
    <message>
        <source>≈ {n} tokens</source>
        <translation>≈ {n} 个 token</translation>
    </message>
    <message>
        <source>Chosen by you.</source>
        <translation>由你选择。</translation>
    </message>
    <message>
        <source>The server wants {n} tokens.</source>
        <translation>服务器想要 {n} 个 token。</translation>
    </message>
    <message>
        <source>Cannot be passed on</source>
        <translation>无法传递的内容</translation>
    </message>
    <message>
        <source>About {rough}, at most {most}</source>
        <translation>约 {rough}，最多 {most}</translation>
    </message>
    <message>
        <source>Free: it runs on this computer</source>
        <translation>免费：在这台电脑上运行</translation>
    </message>
    <message>
        <source>Mask 1 secret</source>
        <translation>遮盖 1 处机密</translation>
    </message>
    <message>
        <source>Mask {n} secrets</source>
        <translation>遮盖 {n} 处机密</translation>
    </message>
    <message>
        <source>The model may use these tools</source>
        <translation>模型可以使用这些工具</translation>
    </message>
    <message>
        <source>The model must use one of these tools</source>
        <translation>模型必须使用其中一个工具</translation>
    </message>
    <message>
        <source>The model must not use these tools now</source>
        <translation>模型现在不得使用这些工具</translation>
    </message>
    <message>
        <source>They are the server’s, for this request alone. Nothing here runs them.</source>
        <translation>它们属于服务器，仅用于此请求。这里不会运行它们。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>Restore the system prompt</source>
        <translation>恢复系统提示词</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>回答最长</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message>
        <source>To the model</source>
        <translation>发给模型</translation>
    </message>
    <message>
        <source>Show the exact request</source>
        <translation>查看完整请求</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>Restore this message</source>
        <translation>恢复此消息</translation>
    </message>
    <message>
        <source>Remove this message</source>
        <translation>移除此消息</translation>
    </message>
    <message>
        <source>Practice model (very small, often wrong)</source>
        <translation>练习模型（很小，常常出错）</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Sound, {kind}, {n} KB</source>
        <translation>声音，{kind}，{n} KB</translation>
    </message>
    <message>
        <source>Uses the tool {name}</source>
        <translation>使用工具 {name}</translation>
    </message>
    <message>
        <source>The tool’s result</source>
        <translation>工具的结果</translation>
    </message>
    <message>
        <source>The model wants the server to use these tools</source>
        <translation>模型希望服务器使用这些工具</translation>
    </message>
    <message>
        <source>Take out the use of {name}</source>
        <translation>移除对 {name} 的使用</translation>
    </message>
    <message>
        <source>You write the answer</source>
        <translation>由你撰写回答</translation>
    </message>
    <message>
        <source>{server} wants to ask a language model</source>
        <translation>“{server}”想询问语言模型</translation>
    </message>
    <message>
        <source>Check the answer to {server}</source>
        <translation>检查给“{server}”的回答</translation>
    </message>
    <message>
        <source>Back to the request</source>
        <translation>返回请求</translation>
    </message>
    <message>
        <source>The model cannot be used</source>
        <translation>模型无法使用</translation>
    </message>
    <message>
        <source>The model is answering…</source>
        <translation>模型正在回答…</translation>
    </message>
    <message>
        <source>Write the answer</source>
        <translation>撰写回答</translation>
    </message>
    <message>
        <source>Ask the model</source>
        <translation>询问模型</translation>
    </message>
    <message>
        <source>The exact request</source>
        <translation>完整请求</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Nothing has been sent to a model yet</source>
        <translation>尚未向模型发送任何内容</translation>
    </message>
    <message>
        <source>The server has not seen this answer yet</source>
        <translation>服务器尚未看到此回答</translation>
    </message>
    <message>
        <source>Answer to the server</source>
        <translation>给服务器的回答</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新询问</translation>
    </message>
    <message>
        <source>Difference to the model’s text</source>
        <translation>与模型原文的差异</translation>
    </message>
    <message>
        <source>Write the answer here. It goes to the server as yours.</source>
        <translation>在这里撰写回答。它会作为你的回答发给服务器。</translation>
    </message>
    <message>
        <source>The model had finished</source>
        <translation>模型已答完</translation>
    </message>
    <message>
        <source>It reached the longest answer allowed</source>
        <translation>达到了回答长度上限</translation>
    </message>
    <message>
        <source>It came to a stop word</source>
        <translation>遇到了停止序列</translation>
    </message>
    <message>
        <source>It wants to use a tool of the server</source>
        <translation>它想使用服务器的工具</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Why it stopped</source>
        <translation>停止原因</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 个 token</translation>
    </message>
    <message>
        <source>From the model</source>
        <translation>来自模型</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等你处理</translation>
    </message>
    <message>
        <source>Servers take turns. Closing a question’s window cancels it.</source>
        <translation>各服务器的请求轮流处理。关闭请求的窗口即取消该请求。</translation>
    </message>
    <message>
        <source>1 question</source>
        <translation>1 个请求</translation>
    </message>
    <message>
        <source>{n} questions</source>
        <translation>{n} 个请求</translation>
    </message>
    <message>
        <source>From before the restart</source>
        <translation>重启之前的</translation>
    </message>
    <message>
        <source>Nothing is waiting.</source>
        <translation>没有待处理的请求。</translation>
    </message>
    <message>
        <source>{server} · {kind} · during {tool}</source>
        <translation>{server} · {kind} · 运行 {tool} 期间</translation>
    </message>
    <message>
        <source>{server} · {kind}</source>
        <translation>{server} · {kind}</translation>
    </message>
    <message>
        <source>form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>A request to a language model</source>
        <translation>向语言模型发出的请求</translation>
    </message>
    <message>
        <source>Which folders may it know?</source>
        <translation>可以让它知道哪些文件夹？</translation>
    </message>
    <message>
        <source>May it start?</source>
        <translation>允许它启动吗？</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>A rule answered {server} for you.</source>
        <translation>一条规则替你答复了 {server}。</translation>
    </message>
    <message>
        <source>From {server}: {why}</source>
        <translation>来自 {server}：{why}</translation>
    </message>
    <message>
        <source>The call of “{tool}” on {server}, which waited while the program was closed, has ended.</source>
        <translation>{server} 上的“{tool}”调用在程序关闭期间一直等待，现已结束。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待处理</translation>
    </message>
    <message>
        <source>Waiting for you: {n}</source>
        <translation>等你处理：{n} 个</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Command or address</source>
        <translation>命令或地址</translation>
    </message>
    <message>
        <source>uvx mcp-server-time   or   https://example.org/mcp   or JSON</source>
        <translation>uvx mcp-server-time   或   https://example.org/mcp   或 JSON</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>How you call it</source>
        <translation>你对它的称呼</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>One a line: NAME=value. For a secret write NAME=${secret:NAME}.</source>
        <translation>每行一个：NAME=value。机密请写作 NAME=${secret:NAME}。</translation>
    </message>
    <message>
        <source>Protocol era</source>
        <translation>协议方式</translation>
    </message>
    <message>
        <source>Find out</source>
        <translation>自动判断</translation>
    </message>
    <message>
        <source>handshake</source>
        <translation>握手式</translation>
    </message>
    <message>
        <source>modern</source>
        <translation>新式</translation>
    </message>
    <message>
        <source>Import from other programs…</source>
        <translation>从其他程序导入…</translation>
    </message>
    <message>
        <source>Add and start</source>
        <translation>添加并启动</translation>
    </message>
    <message>
        <source>Give the server a name.</source>
        <translation>请填写服务器的名称。</translation>
    </message>
    <message>
        <source>A quotation mark in the command is not closed.</source>
        <translation>命令中有引号没有闭合。</translation>
    </message>
    <message>
        <source>Write each variable as NAME=value.</source>
        <translation>每个变量请写作 NAME=value。</translation>
    </message>
    <message>
        <source>Meet your servers</source>
        <translation>认识你的服务器</translation>
    </message>
    <message>
        <source>A server offers tools and may ask you things. You see who asks and why, and nothing is sent without you.</source>
        <translation>服务器提供工具，也可能向你提出请求。你会看到是谁在请求、为什么请求；未经你同意，不会发送任何内容。</translation>
    </message>
    <message>
        <source>Try the demo servers</source>
        <translation>试用演示服务器</translation>
    </message>
    <message>
        <source>A travel planner runs on this computer, twice. Nothing leaves it. You meet forms, links and model requests.</source>
        <translation>旅行规划服务器会在这台电脑上运行两份，数据不会离开这台电脑。你会看到表单、链接和模型请求。</translation>
    </message>
    <message>
        <source>Start the demo</source>
        <translation>启动演示</translation>
    </message>
    <message>
        <source>Paste a command or an address. You see what it wants to run before it starts.</source>
        <translation>粘贴命令或地址。启动之前，你会看到它要运行什么。</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Import servers</source>
        <translation>导入服务器</translation>
    </message>
    <message>
        <source>Take over what other programs on this computer have. You see each one before it is added.</source>
        <translation>沿用这台电脑上其他程序已有的服务器。添加前你会看到每一个。</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Tools  {n}</source>
        <translation>工具  {n}</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>What is decided for you, and what always comes to you. The strictest rule wins, in any order.</source>
        <translation>哪些替你决定，哪些始终由你决定。最严格的规则优先，与顺序无关。</translation>
    </message>
    <message>
        <source>Simulate…</source>
        <translation>模拟…</translation>
    </message>
    <message>
        <source>New rule</source>
        <translation>新建规则</translation>
    </message>
    <message>
        <source>Search rules</source>
        <translation>搜索规则</translation>
    </message>
    <message>
        <source>Ask me about everything</source>
        <translation>一切都询问我</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>You are asked about everything</source>
        <translation>一切都会询问你</translation>
    </message>
    <message>
        <source>No rule allows anything now</source>
        <translation>目前没有规则放行任何内容</translation>
    </message>
    <message>
        <source>Rules of yours allow nothing now</source>
        <translation>你的规则目前不放行任何内容</translation>
    </message>
    <message>
        <source>Always so</source>
        <translation>始终如此</translation>
    </message>
    <message>
        <source>Built in. No rule can lift these.</source>
        <translation>内置规则，任何规则都不能取消。</translation>
    </message>
    <message>
        <source>{files}, read {when}. Only stricter rules of yours count.</source>
        <translation>{files}，{when}读取。你的规则只有更严格时才生效。</translation>
    </message>
    <message>
        <source>From your administrator</source>
        <translation>来自你的管理员</translation>
    </message>
    <message>
        <source>No rules of this kind.</source>
        <translation>没有这类规则。</translation>
    </message>
    <message>
        <source>1 rule</source>
        <translation>1 条规则</translation>
    </message>
    <message>
        <source>{n} rules</source>
        <translation>{n} 条规则</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>你的规则</translation>
    </message>
    <message>
        <source>None yet. “Allow this from now on” in a question makes one, and so does New rule.</source>
        <translation>还没有。请求中的“从现在起允许”或“新建规则”都会创建规则。</translation>
    </message>
    <message>
        <source>Not used yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>Used once, {when}</source>
        <translation>使用过一次，{when}</translation>
    </message>
    <message>
        <source>Used {n} times, last {when}</source>
        <translation>使用过 {n} 次，最近一次{when}</translation>
    </message>
    <message>
        <source>reason: {reason}</source>
        <translation>原因：{reason}</translation>
    </message>
    <message>
        <source>Laid down by your administrator</source>
        <translation>由你的管理员设定</translation>
    </message>
    <message>
        <source>Change this rule</source>
        <translation>更改此规则</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Remove this rule</source>
        <translation>删除此规则</translation>
    </message>
    <message>
        <source>Change a rule</source>
        <translation>更改规则</translation>
    </message>
    <message>
        <source>A found secret, a changed tool or a new server always comes to you.</source>
        <translation>发现机密信息、工具有更改或出现新服务器时，始终由你决定。</translation>
    </message>
    <message>
        <source>A link never opens by itself; a form is never accepted for you.</source>
        <translation>链接绝不会自行打开；表单绝不会替你提交。</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Remove this server…</source>
        <translation>移除此服务器…</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Parts of the server</source>
        <translation>服务器的各个部分</translation>
    </message>
    <message>
        <source>Resources  {n}</source>
        <translation>资源  {n}</translation>
    </message>
    <message>
        <source>Prompts  {n}</source>
        <translation>提示词  {n}</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Secrets…</source>
        <translation>机密信息…</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>退出登录</translation>
    </message>
    <message>
        <source>What it wrote last</source>
        <translation>最后的输出</translation>
    </message>
    <message>
        <source>This server is not running</source>
        <translation>此服务器未运行</translation>
    </message>
    <message>
        <source>Your administrator does not let this server be used</source>
        <translation>你的管理员不允许使用此服务器</translation>
    </message>
    <message>
        <source>This server is off. Start it to see its tools.</source>
        <translation>此服务器已关闭。启动后可查看它的工具。</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Keep and start</source>
        <translation>保存并启动</translation>
    </message>
    <message>
        <source>It goes to the keyring and to this server. Without a keyring it is kept until the program ends.</source>
        <translation>它会进入密钥环，并提供给此服务器。没有密钥环时，只保留到程序结束。</translation>
    </message>
    <message>
        <source>If your browser cannot open the last page, copy its address and paste it here:</source>
        <translation>如果浏览器打不开最后一页，请复制其地址并粘贴到这里：</translation>
    </message>
    <message>
        <source>Address of the last page</source>
        <translation>最后一页的地址</translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation>搜索工具</translation>
    </message>
    <message>
        <source>Remove {server} from your servers?</source>
        <translation>要移除服务器“{server}”吗？</translation>
    </message>
    <message>
        <source>It is stopped and taken out of servers.json. A copy of the file is kept beside it.</source>
        <translation>它会停止运行，并从 servers.json 中移除。原文件的副本会保留在同一位置。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Not removed</source>
        <translation>未能移除</translation>
    </message>
    <message>
        <source>Changed: look at it first</source>
        <translation>已更改：请先查看</translation>
    </message>
    <message>
        <source>Language models</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Servers ask a model only through you. Without any of these, the small practice model answers, or you do.</source>
        <translation>服务器只能通过你向模型提问。如果没有设置任何模型，则由小型练习模型或你来回答。</translation>
    </message>
    <message>
        <source>Kind of provider</source>
        <translation>提供方类型</translation>
    </message>
    <message>
        <source>Another address (OpenAI-compatible)</source>
        <translation>其他地址（兼容 OpenAI）</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Find models on this computer</source>
        <translation>查找这台电脑上的模型</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>Rarely needed on this computer</source>
        <translation>在这台电脑上很少需要</translation>
    </message>
    <message>
        <source>Give the address of the provider.</source>
        <translation>请填写提供方的地址。</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>No other model server answers on this computer.</source>
        <translation>这台电脑上没有其他模型服务器应答。</translation>
    </message>
    <message>
        <source>Added: {names}</source>
        <translation>已添加：{names}</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test {name}</source>
        <translation>测试 {name}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>{n} of {m} models offered</source>
        <translation>提供 {n} / {m} 个模型</translation>
    </message>
    <message>
        <source>Models of {name}</source>
        <translation>{name} 的模型</translation>
    </message>
    <message>
        <source>Offered models can be chosen for a request. How able each is counts where a server asks for it.</source>
        <translation>已提供的模型可用于请求。服务器要求能力时，会考虑每个模型的能力高低。</translation>
    </message>
    <message>
        <source>How able {model} is</source>
        <translation>{model} 的能力</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>A link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>What you pasted</source>
        <translation>你粘贴的内容</translation>
    </message>
    <message>
        <source>This workspace has no servers. Choose some on the page Workspace.</source>
        <translation>此工作区没有服务器。请在“工作区”页面中选择。</translation>
    </message>
    <message>
        <source>Search servers</source>
        <translation>搜索服务器</translation>
    </message>
    <message>
        <source>1 question waiting</source>
        <translation>1 个请求待处理</translation>
    </message>
    <message>
        <source>{n} questions waiting</source>
        <translation>{n} 个请求待处理</translation>
    </message>
    <message>
        <source>Ready · 1 tool</source>
        <translation>就绪 · 1 个工具</translation>
    </message>
    <message>
        <source>Ready · {n} tools</source>
        <translation>就绪 · {n} 个工具</translation>
    </message>
    <message>
        <source>Not allowed by your administrator</source>
        <translation>管理员不允许</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Nothing yet. What servers ask you is listed here.</source>
        <translation>还没有内容。服务器向你提出的请求会列在这里。</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>The record cannot be read.</source>
        <translation>无法读取记录。</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 条</translation>
    </message>
    <message>
        <source>{n} of {m} entries</source>
        <translation>{n} / {m} 条</translation>
    </message>
    <message>
        <source>Nothing fits these filters.</source>
        <translation>没有符合这些筛选条件的内容。</translation>
    </message>
    <message>
        <source>{server} · during {tool}</source>
        <translation>{server} · 在 {tool} 期间</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>Make a rule from this…</source>
        <translation>由此创建规则…</translation>
    </message>
    <message>
        <source>What the server asked</source>
        <translation>服务器的请求</translation>
    </message>
    <message>
        <source>What it was answered</source>
        <translation>给服务器的回答</translation>
    </message>
    <message>
        <source>What you changed</source>
        <translation>你所做的更改</translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation>没有发送任何内容。</translation>
    </message>
    <message>
        <source>Copy the whole entry</source>
        <translation>复制整条记录</translation>
    </message>
    <message>
        <source>Entry {n}</source>
        <translation>条目 {n}</translation>
    </message>
    <message>
        <source>Every question a server asked, who decided and why. It is kept on this computer only.</source>
        <translation>服务器提出的每个请求、由谁决定以及原因。仅保存在本机。</translation>
    </message>
    <message>
        <source>Search what was asked and answered</source>
        <translation>搜索请求和回答</translation>
    </message>
    <message>
        <source>All servers</source>
        <translation>所有服务器</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>All decisions</source>
        <translation>所有决定</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>过去 24 小时</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>过去 30 天</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Every entry is as it was written</source>
        <translation>每个条目都与写入时一致</translation>
    </message>
    <message>
        <source>Entry {n} was changed, or entries before it are gone</source>
        <translation>条目 {n} 被更改，或其之前的条目已丢失</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Asked at {time}</source>
        <translation>提出时间：{time}</translation>
    </message>
    <message>
        <source>Protocol revision {revision}</source>
        <translation>协议修订版 {revision}</translation>
    </message>
    <message>
        <source>Question {id}</source>
        <translation>问题 {id}</translation>
    </message>
    <message>
        <source>Hash {hash}</source>
        <translation>哈希 {hash}</translation>
    </message>
    <message>
        <source>Make a rule from this</source>
        <translation>由此创建规则</translation>
    </message>
    <message>
        <source>{n} older entries were removed</source>
        <translation>已删除 {n} 条较早的记录</translation>
    </message>
    <message>
        <source>A call of {tool}</source>
        <translation>对 {tool} 的调用</translation>
    </message>
    <message>
        <source>By your settings</source>
        <translation>按你的设置</translation>
    </message>
    <message>
        <source>A rule allowed it</source>
        <translation>规则已放行</translation>
    </message>
    <message>
        <source>You edited</source>
        <translation>你已修改</translation>
    </message>
    <message>
        <source>You agreed</source>
        <translation>你已同意</translation>
    </message>
    <message>
        <source>You declined</source>
        <translation>你已拒绝</translation>
    </message>
    <message>
        <source>Call stopped</source>
        <translation>调用已停止</translation>
    </message>
    <message>
        <source>Withdrawn</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>Kept for later</source>
        <translation>留待以后</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>已被拒收</translation>
    </message>
    <message>
        <source>Your reason: {reason}</source>
        <translation>你的理由：{reason}</translation>
    </message>
    <message>
        <source>You changed: {parts}</source>
        <translation>你修改了：{parts}</translation>
    </message>
    <message>
        <source>It took {n} s.</source>
        <translation>用时 {n} 秒。</translation>
    </message>
    <message>
        <source>What the rules said</source>
        <translation>规则的判断</translation>
    </message>
    <message>
        <source>What the rules said of the answer</source>
        <translation>规则对回复的判断</translation>
    </message>
    <message>
        <source>{read} tokens read, {written} written</source>
        <translation>读取 {read} 个词元，写出 {written} 个</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>Look and language</source>
        <translation>外观与语言</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Requests to models</source>
        <translation>模型请求</translation>
    </message>
    <message>
        <source>What rules of yours may allow</source>
        <translation>你的规则可以放行什么</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Limits for each server</source>
        <translation>每个服务器的限制</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Write to ada@example.com or +44 20 7946 0958, password: Tr0ub4dor-3</source>
        <translation>写信到 ada@example.com 或拨打 +44 20 7946 0958，密码：Tr0ub4dor-3</translation>
    </message>
    <message>
        <source>Text to try</source>
        <translation>用来试的文字</translation>
    </message>
    <message>
        <source>The same text, masked</source>
        <translation>隐去之后的同一段文字</translation>
    </message>
    <message>
        <source>Kept on this computer</source>
        <translation>保存在这台电脑上</translation>
    </message>
    <message>
        <source>What you typed into forms and did not send. Masked fields are never kept. Gone after 14 days.</source>
        <translation>你在表单中填写但没有发送的内容。隐藏字段从不保存。14 天后删除。</translation>
    </message>
    <message>
        <source>Questions that can still be answered after a restart. Gone after 7 days.</source>
        <translation>重启之后仍可回答的问题。7 天后删除。</translation>
    </message>
    <message>
        <source>Clear the drafts</source>
        <translation>清除草稿</translation>
    </message>
    <message>
        <source>Clear the questions</source>
        <translation>清除问题</translation>
    </message>
    <message>
        <source>Drafts of forms: {n}</source>
        <translation>表单草稿：{n}</translation>
    </message>
    <message>
        <source>Waiting questions: {n}</source>
        <translation>等待中的问题：{n}</translation>
    </message>
    <message>
        <source>Your administrator allows at most {most}. Laid down in {file}.</source>
        <translation>管理员最多允许 {most}。规定见 {file}。</translation>
    </message>
    <message>
        <source>Your administrator allows only these models: {models}.</source>
        <translation>管理员只允许这些模型：{models}。</translation>
    </message>
    <message>
        <source>Decided by your administrator in {file}.</source>
        <translation>由管理员在 {file} 中决定。</translation>
    </message>
    <message>
        <source>As the server asks</source>
        <translation>按服务器的要求</translation>
    </message>
    <message>
        <source>Low cost</source>
        <translation>低费用</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Ability</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>Keys of services</source>
        <translation>服务密钥</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Private keys</source>
        <translation>私钥</translation>
    </message>
    <message>
        <source>Card numbers</source>
        <translation>卡号</translation>
    </message>
    <message>
        <source>Bank accounts</source>
        <translation>银行账号</translation>
    </message>
    <message>
        <source>E-mail addresses</source>
        <translation>电子邮箱地址</translation>
    </message>
    <message>
        <source>Telephone numbers</source>
        <translation>电话号码</translation>
    </message>
    <message>
        <source>Identity numbers</source>
        <translation>身份证件号码</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在询问…</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Arguments as JSON</source>
        <translation>JSON 格式的参数</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>The server changed this tool since you met it</source>
        <translation>自你首次见到此工具以来，服务器更改了它</translation>
    </message>
    <message>
        <source>It does not run before you looked at the change. What is gone is struck out, what is new underlined.</source>
        <translation>在你查看更改之前它不会运行。删除的内容带删除线，新增的内容带下划线。</translation>
    </message>
    <message>
        <source>The change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>I looked at it: use the tool as it is now</source>
        <translation>我已查看：按现在的样子使用此工具</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel the call</source>
        <translation>取消调用</translation>
    </message>
    <message>
        <source>This is not JSON yet (line {line}, column {column}).</source>
        <translation>还不是有效的 JSON（第 {line} 行第 {column} 列）。</translation>
    </message>
    <message>
        <source>The arguments must be one JSON object.</source>
        <translation>参数必须是一个 JSON 对象。</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Can destroy</source>
        <translation>可能造成破坏</translation>
    </message>
    <message>
        <source>Open world</source>
        <translation>开放环境</translation>
    </message>
    <message>
        <source>Folders you offer to servers. They tell a server where to work; they do not lock it out of others.</source>
        <translation>你提供给服务器的文件夹。它们告诉服务器在哪里工作，但不会阻止它访问其他文件夹。</translation>
    </message>
    <message>
        <source>Recent folders</source>
        <translation>最近的文件夹</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>No folder yet. Servers that ask are told that there is none.</source>
        <translation>还没有文件夹。服务器询问时，会得知没有文件夹。</translation>
    </message>
    <message>
        <source>Never offered, with all that is in them</source>
        <translation>从不提供，包括其中的一切</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>The workspace is as it was</source>
        <translation>工作区保持原样</translation>
    </message>
    <message>
        <source>not readable</source>
        <translation>不可读</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>A part of {path}, which is under version control.</source>
        <translation>属于处于版本控制之下的 {path}。</translation>
    </message>
    <message>
        <source>Take the whole</source>
        <translation>改用整个文件夹</translation>
    </message>
    <message>
        <source>Offered to</source>
        <translation>提供给</translation>
    </message>
    <message>
        <source>There are no servers yet.</source>
        <translation>还没有服务器。</translation>
    </message>
    <message>
        <source>Name of {name}</source>
        <translation>{name} 的名称</translation>
    </message>
    <message>
        <source>Never offer {name}, nor what is in it</source>
        <translation>从不提供 {name} 及其中的内容</translation>
    </message>
    <message>
        <source>Remove {name} from the workspace</source>
        <translation>从工作区移除“{name}”</translation>
    </message>
    <message>
        <source>Servers get it with the folder’s address. Empty: the folder’s own name.</source>
        <translation>服务器会连同文件夹地址一起收到它。留空则使用文件夹自己的名称。</translation>
    </message>
    <message>
        <source>Name of the folder</source>
        <translation>文件夹的名称</translation>
    </message>
    <message>
        <source>Allow again</source>
        <translation>重新允许</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} 小时</translation>
    </message>
    <message>
        <source>{n} d</source>
        <translation>{n} 天</translation>
    </message>
    <message>
        <source>today at {time}</source>
        <translation>今天 {time}</translation>
    </message>
    <message>
        <source>on {date}</source>
        <translation>于 {date}</translation>
    </message>
    <message>
        <source>It is about: {what}</source>
        <translation>涉及：{what}</translation>
    </message>
    <message>
        <source>Choose date and time (Alt+Down)</source>
        <translation>选择日期和时间（Alt+↓）</translation>
    </message>
    <message>
        <source>Choose a date (Alt+Down)</source>
        <translation>选择日期（Alt+↓）</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>时区</translation>
    </message>
    <message>
        <source>UTC</source>
        <translation>UTC</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Here (UTC{offset})</source>
        <translation>本地（UTC{offset}）</translation>
    </message>
    <message>
        <source>Take the answer back</source>
        <translation>清除选择</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>不回答</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message>
        <source>Choose, or type to search</source>
        <translation>选择，或输入以搜索</translation>
    </message>
    <message>
        <source>Search in {n} choices</source>
        <translation>在 {n} 个选项中搜索</translation>
    </message>
    <message>
        <source>{n} of {m} chosen</source>
        <translation>已选 {n} / {m}</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>cut; copy to have all</source>
        <translation>已截断；复制可获得全部内容</translation>
    </message>
    <message>
        <source>Exactly this will be sent</source>
        <translation>将发送的完整内容</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Copy the result as JSON</source>
        <translation>以 JSON 格式复制结果</translation>
    </message>
    <message>
        <source>Result as a table</source>
        <translation>表格形式的结果</translation>
    </message>
    <message>
        <source>Result as text</source>
        <translation>文本形式的结果</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>The tool reports an error</source>
        <translation>工具报告了错误</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Given up</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>Masked. It is not kept.</source>
        <translation>输入时不显示，也不会保留。</translation>
    </message>
    <message>
        <source>Show all of it</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>{n} of {m} characters</source>
        <translation>{n} / {m} 个字符</translation>
    </message>
    <message>
        <source>{n} characters, at least {m}</source>
        <translation>{n} 个字符，至少 {m} 个</translation>
    </message>
    <message>
        <source>Needed</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>What the server expects</source>
        <translation>服务器的要求</translation>
    </message>
    <message>
        <source>Tidy up</source>
        <translation>整理格式</translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show what I typed (Alt+V)</source>
        <translation>显示我输入的内容（Alt+V）</translation>
    </message>
    <message>
        <source>Mask what I typed (Alt+V)</source>
        <translation>隐藏我输入的内容（Alt+V）</translation>
    </message>
    <message>
        <source>This becomes one of your rules. You can change or remove it at any time.</source>
        <translation>这会成为你的一条规则。你可以随时更改或删除它。</translation>
    </message>
    <message>
        <source>Any server</source>
        <translation>任意服务器</translation>
    </message>
    <message>
        <source>Any; * stands for anything</source>
        <translation>任意；* 代表任何内容</translation>
    </message>
    <message>
        <source>Any model</source>
        <translation>任意模型</translation>
    </message>
    <message>
        <source>Any model on this computer</source>
        <translation>这台电脑上的任意模型</translation>
    </message>
    <message>
        <source>{model} only</source>
        <translation>仅 {model}</translation>
    </message>
    <message>
        <source>Any length</source>
        <translation>任意长度</translation>
    </message>
    <message>
        <source>Any; *.example.org for all below it</source>
        <translation>任意；*.example.org 表示其下所有主机</translation>
    </message>
    <message>
        <source>{n} a minute</source>
        <translation>每分钟 {n} 次</translation>
    </message>
    <message>
        <source>As often as it likes</source>
        <translation>不限次数</translation>
    </message>
    <message>
        <source>Shown with every decision</source>
        <translation>随每个决定显示</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>处理方式</translation>
    </message>
    <message>
        <source>With</source>
        <translation>针对</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>有效期</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>显示这些请求</translation>
    </message>
    <message>
        <source>You are still asked when a secret is found, a tool changes or the server is no longer the same.</source>
        <translation>发现机密信息、工具有更改或服务器已不是原来的服务器时，仍会询问你。</translation>
    </message>
    <message>
        <source>Save the rule</source>
        <translation>保存规则</translation>
    </message>
    <message>
        <source>This always comes to you: a rule cannot allow it. Choose Ask or Deny.</source>
        <translation>这始终由你决定：规则不能放行。请选择“询问”或“拒绝”。</translation>
    </message>
    <message>
        <source>It would have allowed {n} of the last {m} questions</source>
        <translation>它会放行最近 {m} 个请求中的 {n} 个</translation>
    </message>
    <message>
        <source>You would have been asked about {n} more of the last {m} questions</source>
        <translation>最近 {m} 个请求中会另有 {n} 个询问你</translation>
    </message>
    <message>
        <source>It would have denied {n} of the last {m} questions</source>
        <translation>它会拒绝最近 {m} 个请求中的 {n} 个</translation>
    </message>
    <message>
        <source>They came from {tools}.</source>
        <translation>它们来自 {tools}。</translation>
    </message>
    <message>
        <source>For good</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>Until the program ends</source>
        <translation>到程序退出为止</translation>
    </message>
    <message>
        <source>For an hour</source>
        <translation>一小时</translation>
    </message>
    <message>
        <source>For a day</source>
        <translation>一天</translation>
    </message>
    <message>
        <source>For 30 days</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>It ended {when}</source>
        <translation>已于{when}到期</translation>
    </message>
    <message>
        <source>As before, it ends {when}</source>
        <translation>保持不变，{when}到期</translation>
    </message>
    <message>
        <source>Allow this from now on…</source>
        <translation>从现在起允许…</translation>
    </message>
    <message>
        <source>Allow this from now on</source>
        <translation>从现在起允许</translation>
    </message>
    <message>
        <source>The rule is kept</source>
        <translation>规则已保存</translation>
    </message>
    <message>
        <source>What today’s rules would decide otherwise</source>
        <translation>按现在的规则会有哪些不同的决定</translation>
    </message>
    <message>
        <source>Holding the record against the rules…</source>
        <translation>正在用规则核对记录…</translation>
    </message>
    <message>
        <source>{n} of {m} questions in the record would be decided otherwise.</source>
        <translation>记录中 {m} 个请求里有 {n} 个会有不同的决定。</translation>
    </message>
    <message>
        <source>{n} older ones cannot be held against rules.</source>
        <translation>另有 {n} 个较早的请求无法用规则核对。</translation>
    </message>
    <message>
        <source>The newest {n} are shown.</source>
        <translation>显示最新的 {n} 个。</translation>
    </message>
    <message>
        <source>Nothing would be decided otherwise.</source>
        <translation>没有任何决定会不同。</translation>
    </message>
    <message>
        <source>Was: {before}. Would be: {after}.</source>
        <translation>原为：{before}。将为：{after}。</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Administrator</source>
        <translation>管理员</translation>
    </message>
    <message>
        <source>You, for now</source>
        <translation>你（暂时）</translation>
    </message>
    <message>
        <source>{some} and {last}</source>
        <translation>{some}和{last}</translation>
    </message>
    <message>
        <source>{whose} rule “{rule}” allows it.</source>
        <translation>{whose}规则“{rule}”允许。</translation>
    </message>
    <message>
        <source>{whose} rule “{rule}” asks.</source>
        <translation>{whose}规则“{rule}”要求询问。</translation>
    </message>
    <message>
        <source>{whose} rule “{rule}” denies it.</source>
        <translation>{whose}规则“{rule}”拒绝。</translation>
    </message>
    <message>
        <source>The administrator’s</source>
        <translation>管理员的</translation>
    </message>
    <message>
        <source>Your</source>
        <translation>你的</translation>
    </message>
    <message>
        <source>Not used: {what}</source>
        <translation>未生效：{what}</translation>
    </message>
    <message>
        <source>Its reason: {reason}</source>
        <translation>其原因：{reason}</translation>
    </message>
    <message>
        <source>More conditions</source>
        <translation>更多条件</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Only these fields</source>
        <translation>只含这些字段</translation>
    </message>
    <message>
        <source>Prompt of up to</source>
        <translation>提示词最多</translation>
    </message>
    <message>
        <source>Link begins with</source>
        <translation>链接开头为</translation>
    </message>
    <message>
        <source>Tool’s definition</source>
        <translation>工具的定义</translation>
    </message>
    <message>
        <source>Either way</source>
        <translation>都可以</translation>
    </message>
    <message>
        <source>Tools in the request</source>
        <translation>请求中的工具</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>机密信息</translation>
    </message>
    <message>
        <source>Personal data</source>
        <translation>个人数据</translation>
    </message>
    <message>
        <source>Passwords</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Look of the host</source>
        <translation>主机名的样子</translation>
    </message>
    <message>
        <source>Reading only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Destroying</source>
        <translation>破坏性</translation>
    </message>
    <message>
        <source>Any; for example {example}</source>
        <translation>任意；例如 {example}</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Mon</source>
        <translation>周一</translation>
    </message>
    <message>
        <source>Tue</source>
        <translation>周二</translation>
    </message>
    <message>
        <source>Wed</source>
        <translation>周三</translation>
    </message>
    <message>
        <source>Thu</source>
        <translation>周四</translation>
    </message>
    <message>
        <source>Fri</source>
        <translation>周五</translation>
    </message>
    <message>
        <source>Sat</source>
        <translation>周六</translation>
    </message>
    <message>
        <source>Sun</source>
        <translation>周日</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>时段</translation>
    </message>
    <message>
        <source>Mask secrets</source>
        <translation>遮盖机密信息</translation>
    </message>
    <message>
        <source>Mask personal data</source>
        <translation>遮盖个人数据</translation>
    </message>
    <message>
        <source>Tell me</source>
        <translation>告诉我</translation>
    </message>
    <message>
        <source>I review the answer</source>
        <translation>由我检查回答</translation>
    </message>
    <message>
        <source>As long as asked for</source>
        <translation>按请求的长度</translation>
    </message>
    <message>
        <source>When it is allowed</source>
        <translation>放行时</translation>
    </message>
    <message>
        <source>Shorten the answer to</source>
        <translation>把回答缩短到</translation>
    </message>
    <message>
        <source>Looking at other programs on this computer…</source>
        <translation>正在查看这台电脑上的其他程序…</translation>
    </message>
    <message>
        <source>Keep secrets in the keyring instead of the file</source>
        <translation>把机密保存在密钥环中，而不是文件里</translation>
    </message>
    <message>
        <source>Add the chosen ones</source>
        <translation>添加所选</translation>
    </message>
    <message>
        <source>Choose what to add. Nothing starts before you allow it, and nothing that approves itself comes along.</source>
        <translation>选择要添加的服务器。未经你允许不会启动，也不会带来任何自行批准的设置。</translation>
    </message>
    <message>
        <source>No servers were found. You can drop a file on the Servers page or paste its text.</source>
        <translation>没有找到服务器。你可以把文件拖到“服务器”页面上，或粘贴其内容。</translation>
    </message>
    <message>
        <source>Line {line}, column {column}: {what}</source>
        <translation>第 {line} 行第 {column} 列：{what}</translation>
    </message>
    <message>
        <source>In folder {path}</source>
        <translation>工作文件夹 {path}</translation>
    </message>
    <message>
        <source>Gets {names}</source>
        <translation>获得 {names}</translation>
    </message>
    <message>
        <source>In plain text in that file: {names}</source>
        <translation>在该文件中为明文：{names}</translation>
    </message>
    <message>
        <source>Search what it wrote</source>
        <translation>搜索它写的内容</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>1 process, {mb} MB</source>
        <translation>1 个进程，{mb} MB</translation>
    </message>
    <message>
        <source>{n} processes, {mb} MB</source>
        <translation>{n} 个进程，{mb} MB</translation>
    </message>
    <message>
        <source>It is not running.</source>
        <translation>它没有运行。</translation>
    </message>
    <message>
        <source>It wrote nothing.</source>
        <translation>它什么也没写。</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有找到。</translation>
    </message>
    <message>
        <source>Search resources</source>
        <translation>搜索资源</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Follow changes</source>
        <translation>跟踪变化</translation>
    </message>
    <message>
        <source>This address is no template that can be filled in.</source>
        <translation>此地址不是可以填写的模板。</translation>
    </message>
    <message>
        <source>Search prompts</source>
        <translation>搜索提示词</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Get the prompt</source>
        <translation>获取提示词</translation>
    </message>
    <message>
        <source>Fill in {names}.</source>
        <translation>请填写{names}。</translation>
    </message>
    <message>
        <source>{name} (needed)</source>
        <translation>{name}（必填）</translation>
    </message>
    <message>
        <source>Nothing came</source>
        <translation>没有收到内容</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>内容为空。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>{n} KB</source>
        <translation>{n} KB</translation>
    </message>
    <message>
        <source>{n} bytes</source>
        <translation>{n} 字节</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Choose a message to see it whole. Secrets are masked.</source>
        <translation>选择一条消息查看全文。机密已遮盖。</translation>
    </message>
    <message>
        <source>Search methods</source>
        <translation>搜索方法</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>{n} messages</source>
        <translation>{n} 条消息</translation>
    </message>
    <message>
        <source>Notification</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>No message</source>
        <translation>不是消息</translation>
    </message>
    <message>
        <source>{n} ms</source>
        <translation>{n} 毫秒</translation>
    </message>
    <message>
        <source>Forget this value</source>
        <translation>忘记此值</translation>
    </message>
    <message>
        <source>It has a value; type another to replace it</source>
        <translation>已有值；输入新值即可替换</translation>
    </message>
    <message>
        <source>Secrets of {server}</source>
        <translation>{server} 的机密信息</translation>
    </message>
    <message>
        <source>They are kept in the system’s keyring and given to this server alone, from its next start on.</source>
        <translation>它们保存在系统的密钥环中，只提供给此服务器，从它下次启动起生效。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>My workspace</source>
        <translation>我的工作区</translation>
    </message>
    <message>
        <source>Workspace in force</source>
        <translation>当前工作区</translation>
    </message>
    <message>
        <source>More for this workspace</source>
        <translation>此工作区的更多操作</translation>
    </message>
    <message>
        <source>New workspace…</source>
        <translation>新建工作区…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Remove this workspace…</source>
        <translation>移除此工作区…</translation>
    </message>
    <message>
        <source>A set of folders and servers for one kind of work. It begins with every server and no folder.</source>
        <translation>为一类工作准备的一组文件夹和服务器。开始时包含所有服务器，没有文件夹。</translation>
    </message>
    <message>
        <source>New workspace</source>
        <translation>新建工作区</translation>
    </message>
    <message>
        <source>Name of this workspace</source>
        <translation>此工作区的名称</translation>
    </message>
    <message>
        <source>Remove the workspace {name}?</source>
        <translation>移除工作区 {name}？</translation>
    </message>
    <message>
        <source>Its folders stay where they are, and its servers stay in your list.</source>
        <translation>其中的文件夹保持原样，服务器仍在你的列表中。</translation>
    </message>
    <message>
        <source>Servers of this workspace</source>
        <translation>此工作区的服务器</translation>
    </message>
    <message>
        <source>Every server, also those that come later</source>
        <translation>所有服务器，包括以后添加的</translation>
    </message>
    <message>
        <source>Others are stopped and not listed while this workspace is in force.</source>
        <translation>使用此工作区时，其他服务器会停止，也不会列出。</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>Something went wrong here while this was handled. Nothing was sent; the server was told so.</source>
        <translation>处理此请求时，这一端出了问题。未发送任何内容，并已告知服务器。</translation>
    </message>
    <message>
        <source>The call was given up because you closed one of its questions.</source>
        <translation>你关闭了其中一个请求，因此调用已放弃。</translation>
    </message>
    <message>
        <source>The call was given up because you declined one of its questions.</source>
        <translation>你拒绝了其中一个请求，因此调用已放弃。</translation>
    </message>
    <message>
        <source>The call was given up because one of its questions could not be answered.</source>
        <translation>其中一个请求无法回答，因此调用已放弃。</translation>
    </message>
    <message>
        <source>The call was given up because one of its questions was refused.</source>
        <translation>其中一个请求被拦截，因此调用已放弃。</translation>
    </message>
    <message>
        <source>You stopped the whole call.</source>
        <translation>你停止了整个调用。</translation>
    </message>
    <message>
        <source>The server asked for more but did not say what. The call was given up.</source>
        <translation>服务器还要求更多信息，但没有说明要什么。调用已放弃。</translation>
    </message>
    <message>
        <source>The connection to the server ended before it answered.</source>
        <translation>服务器还没有回答，连接就断开了。</translation>
    </message>
    <message>
        <source>You declined one of its questions: “{reason}”. The reason was not sent.</source>
        <translation>你拒绝了它的一个问题：“{reason}”。理由没有发送。</translation>
    </message>
    <message>
        <source>The call failed inside Desktop Host ({what}).</source>
        <translation>调用在 Desktop Host 内部失败（{what}）。</translation>
    </message>
    <message>
        <source>The request did not get through ({what}). The connection is kept; try again.</source>
        <translation>请求未能送达（{what}）。连接仍然保持，请重试。</translation>
    </message>
    <message>
        <source>The server has no tool of this name.</source>
        <translation>服务器没有这个名称的工具。</translation>
    </message>
    <message>
        <source>The server is not running. Start it and try again.</source>
        <translation>服务器未运行。请启动它，然后重试。</translation>
    </message>
    <message>
        <source>The server speaks another revision of the protocol now, so this call cannot go on.</source>
        <translation>服务器现在使用另一个协议版本，此调用无法继续。</translation>
    </message>
    <message>
        <source>The server asked exactly the same more than {count} times, so the call was stopped.</source>
        <translation>服务器提出完全相同的请求超过 {count} 次，因此调用已停止。</translation>
    </message>
    <message>
        <source>The server answered with error {code}: {text}</source>
        <translation>服务器返回了错误 {code}：{text}</translation>
    </message>
    <message>
        <source>The server said nothing for {seconds} seconds, so the call was ended.</source>
        <translation>服务器 {seconds} 秒没有任何响应，因此调用已结束。</translation>
    </message>
    <message>
        <source>The call waited while the program was closed, and the server did not go on with it. Start over to call the tool again.</source>
        <translation>此调用在程序关闭期间等待，服务器没有继续处理。请重新开始以再次调用工具。</translation>
    </message>
    <message>
        <source>The answer is {size} MB, too large to show. It was saved to {path}.</source>
        <translation>回答有 {size} MB，太大而无法显示。已保存到 {path}。</translation>
    </message>
    <message>
        <source>The server asked for more {count} times without an end, so the call was stopped.</source>
        <translation>服务器 {count} 次要求更多信息，仍未结束，因此调用已停止。</translation>
    </message>
    <message>
        <source>The server asked for something it was not offered ({method}). The call was given up.</source>
        <translation>服务器请求了未向它提供的功能（{method}）。调用已放弃。</translation>
    </message>
    <message>
        <source>The server answered with a result of unknown type “{kind}”.</source>
        <translation>服务器返回的结果类型“{kind}”未知。</translation>
    </message>
    <message>
        <source>Could not connect ({what}).</source>
        <translation>无法连接（{what}）。</translation>
    </message>
    <message>
        <source>“{command}” fetches whatever version is newest. What runs tomorrow may not be what you allow today.</source>
        <translation>“{command}”总是获取最新版本。明天运行的内容，可能不是你今天允许的内容。</translation>
    </message>
    <message>
        <source>The command “{command}” was not found. Check that it is installed and spelled right.</source>
        <translation>找不到命令“{command}”。请检查它是否已安装、拼写是否正确。</translation>
    </message>
    <message>
        <source>The command “{command}” may not be run. Check its permissions.</source>
        <translation>无权运行命令“{command}”。请检查它的权限。</translation>
    </message>
    <message>
        <source>Not started, because you did not allow it.</source>
        <translation>未启动，因为你没有允许。</translation>
    </message>
    <message>
        <source>This address is not encrypted. Others on the network can read and change what you send.</source>
        <translation>此地址未加密。网络上的其他人可以读取和更改你发送的内容。</translation>
    </message>
    <message>
        <source>The server refused the connection with error {code}: {text}</source>
        <translation>服务器拒绝了连接，错误 {code}：{text}</translation>
    </message>
    <message>
        <source>The server did not answer in time. It may speak another protocol era; see its settings.</source>
        <translation>服务器没有及时回答。它可能使用另一种协议方式，请查看它的设置。</translation>
    </message>
    <message>
        <source>The server cannot be reached ({what}). Check the address and the network.</source>
        <translation>无法连接到服务器（{what}）。请检查地址和网络。</translation>
    </message>
    <message>
        <source>No rule covers this, so you are asked.</source>
        <translation>没有适用的规则，因此询问你。</translation>
    </message>
    <message>
        <source>It ended before it could be decided.</source>
        <translation>还没有作出决定，它就已结束。</translation>
    </message>
    <message>
        <source>{file}, line {line}, column {column}: this is not JSON ({what}).</source>
        <translation>{file}，第 {line} 行第 {column} 列：这不是 JSON（{what}）。</translation>
    </message>
    <message>
        <source>{file}: the file must hold one JSON object.</source>
        <translation>{file}：文件必须包含一个 JSON 对象。</translation>
    </message>
    <message>
        <source>{file}: the file is not UTF-8 text.</source>
        <translation>{file}：文件不是 UTF-8 文本。</translation>
    </message>
    <message>
        <source>{file}: the file cannot be read ({what}).</source>
        <translation>{file}：无法读取文件（{what}）。</translation>
    </message>
    <message>
        <source>{file}: the file cannot be written ({what}).</source>
        <translation>{file}：无法写入文件（{what}）。</translation>
    </message>
    <message>
        <source>This form asks for a password, key, token or card number. Servers must not ask for these in a form.</source>
        <translation>此表单要求填写密码、密钥、令牌或卡号。服务器不得在表单中要求这些信息。</translation>
    </message>
    <message>
        <source>The server’s suggestion for “{field}” does not fit its own rules and was left out.</source>
        <translation>服务器为“{field}”建议的值不符合它自己的规则，已略去。</translation>
    </message>
    <message>
        <source>This cannot be checked against the server’s rules, so it cannot be sent.</source>
        <translation>无法按服务器的规则检查此项，因此不能发送。</translation>
    </message>
    <message>
        <source>What is in “{field}” looks like a key, a password or a number that pays. The server gets it as you typed it.</source>
        <translation>“{field}”中的内容看起来是密钥、密码或可用于付款的号码。服务器会收到你输入的原文。</translation>
    </message>
    <message>
        <source>This must be {value}.</source>
        <translation>此项必须是 {value}。</translation>
    </message>
    <message>
        <source>The server sent no description of its form (requestedSchema).</source>
        <translation>服务器没有发送表单的描述（requestedSchema）。</translation>
    </message>
    <message>
        <source>Choose one of the offered values.</source>
        <translation>请选择所提供的值之一。</translation>
    </message>
    <message>
        <source>This must be more than {bound}.</source>
        <translation>必须大于 {bound}。</translation>
    </message>
    <message>
        <source>This must be less than {bound}.</source>
        <translation>必须小于 {bound}。</translation>
    </message>
    <message>
        <source>Choose yes or no.</source>
        <translation>请选择是或否。</translation>
    </message>
    <message>
        <source>Not a date yet. Example: 2027-06-15</source>
        <translation>日期不完整。示例：2027-06-15</translation>
    </message>
    <message>
        <source>Not a date with time and zone yet. Example: 2027-06-15T09:30:00+02:00</source>
        <translation>带时间和时区的日期不完整。示例：2027-06-15T09:30:00+02:00</translation>
    </message>
    <message>
        <source>Not a whole address yet. Example: name@example.org</source>
        <translation>邮箱地址不完整。示例：name@example.org</translation>
    </message>
    <message>
        <source>Not a whole number yet. Example: 3</source>
        <translation>还不是整数。示例：3</translation>
    </message>
    <message>
        <source>This is not JSON yet (line {line}, column {column}).</source>
        <translation>还不是有效的 JSON（第 {line} 行第 {column} 列）。</translation>
    </message>
    <message>
        <source>This must be a multiple of {step}.</source>
        <translation>必须是 {step} 的倍数。</translation>
    </message>
    <message>
        <source>Not a number yet. Example: 1.5</source>
        <translation>还不是数字。示例：1.5</translation>
    </message>
    <message>
        <source>This must be text.</source>
        <translation>此项必须是文本。</translation>
    </message>
    <message>
        <source>Not a whole address yet. Example: https://example.org/page</source>
        <translation>网址不完整。示例：https://example.org/page</translation>
    </message>
    <message>
        <source>This number is too large to send.</source>
        <translation>这个数字太大，无法发送。</translation>
    </message>
    <message>
        <source>This must be from {least} to {most}.</source>
        <translation>必须在 {least} 到 {most} 之间。</translation>
    </message>
    <message>
        <source>This does not have the form the server wants: {pattern}</source>
        <translation>不符合服务器要求的格式：{pattern}</translation>
    </message>
    <message>
        <source>The server’s rule for this field takes too long to check, so this cannot be sent.</source>
        <translation>按服务器的规则检查此字段耗时过长，因此不能发送。</translation>
    </message>
    <message>
        <source>The server’s rule for “{field}” cannot be read and was not applied.</source>
        <translation>无法读取服务器对“{field}”的规则，因此没有应用。</translation>
    </message>
    <message>
        <source>Must match {pattern}</source>
        <translation>须匹配 {pattern}</translation>
    </message>
    <message>
        <source>This is needed.</source>
        <translation>此项必填。</translation>
    </message>
    <message>
        <source>The server requires “{field}” but does not describe it, so its form cannot be answered.</source>
        <translation>服务器要求填写“{field}”，却没有描述它，因此无法回答此表单。</translation>
    </message>
    <message>
        <source>This does not fit the server’s rules: {what}</source>
        <translation>不符合服务器的规则：{what}</translation>
    </message>
    <message>
        <source>The server’s rules for its form have a mistake; each field was checked by itself.</source>
        <translation>服务器的表单规则有错误，因此逐个检查了各字段。</translation>
    </message>
    <message>
        <source>More than {bound}.</source>
        <translation>大于 {bound}。</translation>
    </message>
    <message>
        <source>Answers have at most {count} tokens.</source>
        <translation>回复最多 {count} 个令牌。</translation>
    </message>
    <message>
        <source>You are told of it.</source>
        <translation>你会收到通知。</translation>
    </message>
    <message>
        <source>Personal data are masked.</source>
        <translation>个人数据会被遮盖。</translation>
    </message>
    <message>
        <source>Secrets are masked.</source>
        <translation>机密信息会被遮盖。</translation>
    </message>
    <message>
        <source>You review the answer.</source>
        <translation>你会审阅回复。</translation>
    </message>
    <message>
        <source>The server answered with an HTTP error and said no more.</source>
        <translation>服务器返回了 HTTP 错误，没有更多说明。</translation>
    </message>
    <message>
        <source>The server took the request and sends no answer to it.</source>
        <translation>服务器收下了请求，但不会回答。</translation>
    </message>
    <message>
        <source>The server’s answer is not valid JSON, so it could not be read.</source>
        <translation>服务器的回答不是有效的 JSON，无法读取。</translation>
    </message>
    <message>
        <source>This address answers, but not as an MCP server does: it sent {what}. Check the address.</source>
        <translation>此地址有响应，但不是 MCP 服务器的响应：它发来了 {what}。请检查地址。</translation>
    </message>
    <message>
        <source>The server wants to be called at another address: {what}. Desktop Host did not follow; change the address if you trust it.</source>
        <translation>服务器要求改用另一个地址：{what}。Desktop Host 没有跟随；如果你信任它，请修改地址。</translation>
    </message>
    <message>
        <source>The question comes back at the next start of Desktop Host, with what you typed, but for masked fields.</source>
        <translation>下次启动 Desktop Host 时会再次提出该问题，并附上你填写的内容（隐藏字段除外）。</translation>
    </message>
    <message>
        <source>The server asked more than {count} questions at once, so the call was given up.</source>
        <translation>服务器一次提出超过 {count} 个问题，因此放弃了此调用。</translation>
    </message>
    <message>
        <source>The server changed this tool since you met it. Look at the change first.</source>
        <translation>自你首次见到此工具以来，服务器更改了它。请先查看更改。</translation>
    </message>
    <message>
        <source>“{command}” was not found. It comes with Bun: install it from bun.sh, then start the server again.</source>
        <translation>找不到“{command}”。它随 Bun 一起安装：请从 bun.sh 安装，然后重新启动服务器。</translation>
    </message>
    <message>
        <source>“{command}” was not found. It comes with Deno: install it from deno.com, then start the server again.</source>
        <translation>找不到“{command}”。它随 Deno 一起安装：请从 deno.com 安装，然后重新启动服务器。</translation>
    </message>
    <message>
        <source>“{command}” was not found. Install Docker Desktop or Docker Engine from docker.com, then start the server again.</source>
        <translation>找不到“{command}”。请从 docker.com 安装 Docker Desktop 或 Docker Engine，然后重新启动服务器。</translation>
    </message>
    <message>
        <source>“{command}” was not found. It comes with Node.js: install it from nodejs.org, then start the server again.</source>
        <translation>找不到“{command}”。它随 Node.js 一起安装：请从 nodejs.org 安装，然后重新启动服务器。</translation>
    </message>
    <message>
        <source>“{command}” was not found. Install pipx from pipx.pypa.io, then start the server again.</source>
        <translation>找不到“{command}”。请从 pipx.pypa.io 安装 pipx，然后重新启动服务器。</translation>
    </message>
    <message>
        <source>“{command}” was not found. Install Python from python.org, then start the server again.</source>
        <translation>找不到“{command}”。请从 python.org 安装 Python，然后重新启动服务器。</translation>
    </message>
    <message>
        <source>“{command}” was not found. It comes with uv: install it from docs.astral.sh/uv, then start the server again.</source>
        <translation>找不到“{command}”。它随 uv 一起安装：请从 docs.astral.sh/uv 安装，然后重新启动服务器。</translation>
    </message>
    <message>
        <source>The folder “{path}” that the server should start in is not there.</source>
        <translation>服务器要在其中启动的文件夹“{path}”不存在。</translation>
    </message>
    <message>
        <source>There is no program “{command}”. Check the path in the server’s settings.</source>
        <translation>没有程序“{command}”。请检查服务器设置中的路径。</translation>
    </message>
    <message>
        <source>Not started: the secret “{name}” has no value yet.</source>
        <translation>未启动：机密信息“{name}”还没有值。</translation>
    </message>
    <message>
        <source>It was stopped before it was ready.</source>
        <translation>它在就绪之前被停止了。</translation>
    </message>
    <message>
        <source>Not started: “{name}” has no value. Set the environment variable, or write a default in servers.json.</source>
        <translation>未启动：“{name}”没有值。请设置该环境变量，或在 servers.json 中写一个默认值。</translation>
    </message>
    <message>
        <source>Allowed by your administrator’s rule “{rule}”.</source>
        <translation>已被管理员的规则“{rule}”允许。</translation>
    </message>
    <message>
        <source>Allowed by your administrator’s rule “{rule}”: {reason}</source>
        <translation>已被管理员的规则“{rule}”允许：{reason}</translation>
    </message>
    <message>
        <source>Allowed by your rule “{rule}”.</source>
        <translation>已被你的规则“{rule}”允许。</translation>
    </message>
    <message>
        <source>Allowed by your rule “{rule}”: {reason}</source>
        <translation>已被你的规则“{rule}”允许：{reason}</translation>
    </message>
    <message>
        <source>Your administrator’s rule “{rule}” wants you to be asked.</source>
        <translation>管理员的规则“{rule}”要求询问你。</translation>
    </message>
    <message>
        <source>Your administrator’s rule “{rule}” wants you to be asked: {reason}</source>
        <translation>管理员的规则“{rule}”要求询问你：{reason}</translation>
    </message>
    <message>
        <source>Your rule “{rule}” wants you to be asked.</source>
        <translation>你的规则“{rule}”要求询问你。</translation>
    </message>
    <message>
        <source>Your rule “{rule}” wants you to be asked: {reason}</source>
        <translation>你的规则“{rule}”要求询问你：{reason}</translation>
    </message>
    <message>
        <source>Denied by your administrator’s rule “{rule}”.</source>
        <translation>已被管理员的规则“{rule}”拒绝。</translation>
    </message>
    <message>
        <source>Denied by your administrator’s rule “{rule}”: {reason}</source>
        <translation>已被管理员的规则“{rule}”拒绝：{reason}</translation>
    </message>
    <message>
        <source>Denied by your rule “{rule}”.</source>
        <translation>已被你的规则“{rule}”拒绝。</translation>
    </message>
    <message>
        <source>Denied by your rule “{rule}”: {reason}</source>
        <translation>已被你的规则“{rule}”拒绝：{reason}</translation>
    </message>
    <message>
        <source>A rule wants you to review the answer.</source>
        <translation>有一条规则要求你审阅回复。</translation>
    </message>
    <message>
        <source>{file} is no TOML that can be read: line {line}, column {column}.</source>
        <translation>{file} 不是可读的 TOML：第 {line} 行第 {column} 列。</translation>
    </message>
    <message>
        <source>{file} is no YAML that can be read: line {line}, column {column}.</source>
        <translation>{file} 不是可读的 YAML：第 {line} 行第 {column} 列。</translation>
    </message>
    <message>
        <source>The tool’s definition changed since you saw it.</source>
        <translation>自你上次查看以来，此工具的定义已更改。</translation>
    </message>
    <message>
        <source>A form is never filled in for you.</source>
        <translation>表单绝不会替你填写。</translation>
    </message>
    <message>
        <source>A link never opens by itself.</source>
        <translation>链接绝不会自行打开。</translation>
    </message>
    <message>
        <source>The server is new, or no longer the same.</source>
        <translation>此服务器是新的，或已不是原来的服务器。</translation>
    </message>
    <message>
        <source>A secret was found.</source>
        <translation>发现了机密信息。</translation>
    </message>
    <message>
        <source>Less than {bound}.</source>
        <translation>小于 {bound}。</translation>
    </message>
    <message>
        <source>Choose {least} to {most}.</source>
        <translation>选择 {least} 到 {most} 项。</translation>
    </message>
    <message>
        <source>{least} or more.</source>
        <translation>不小于 {least}。</translation>
    </message>
    <message>
        <source>{most} or less.</source>
        <translation>不大于 {most}。</translation>
    </message>
    <message>
        <source>From {least} to {most}.</source>
        <translation>从 {least} 到 {most}。</translation>
    </message>
    <message>
        <source>In steps of {step}.</source>
        <translation>步长 {step}。</translation>
    </message>
    <message>
        <source>Choose at least {count}.</source>
        <translation>请至少选择 {count} 项。</translation>
    </message>
    <message>
        <source>This must be at most {most}.</source>
        <translation>不能大于 {most}。</translation>
    </message>
    <message>
        <source>This may have at most {count} characters.</source>
        <translation>最多 {count} 个字符。</translation>
    </message>
    <message>
        <source>Choose at most {count}.</source>
        <translation>最多选择 {count} 项。</translation>
    </message>
    <message>
        <source>The answers are more than {count} KB together, which is too much to send.</source>
        <translation>所有回答合计超过 {count} KB，无法发送。</translation>
    </message>
    <message>
        <source>This must have at least {count} characters.</source>
        <translation>至少 {count} 个字符。</translation>
    </message>
    <message>
        <source>This must be at least {least}.</source>
        <translation>不能小于 {least}。</translation>
    </message>
    <message>
        <source>“{field}” refers to a description that is not there; it is asked for as JSON.</source>
        <translation>“{field}”引用的描述不存在，请以 JSON 填写。</translation>
    </message>
    <message>
        <source>“{field}” refers to itself; it is asked for as JSON.</source>
        <translation>“{field}”引用了自身，请以 JSON 填写。</translation>
    </message>
    <message>
        <source>“{field}” has no usable description; it is asked for as JSON.</source>
        <translation>“{field}”没有可用的描述，请以 JSON 填写。</translation>
    </message>
    <message>
        <source>“{field}” refers to a description on the network, which is never fetched; it is asked for as JSON.</source>
        <translation>“{field}”引用了网络上的描述。这类描述绝不会被获取，请以 JSON 填写。</translation>
    </message>
    <message>
        <source>“{field}” cannot be drawn as a simple field; it is asked for as JSON.</source>
        <translation>“{field}”无法显示为简单字段，请以 JSON 填写。</translation>
    </message>
    <message>
        <source>“{field}” offers more choices than can be shown; it is asked for as JSON.</source>
        <translation>“{field}”的选项多得无法显示；以 JSON 形式询问。</translation>
    </message>
    <message>
        <source>The server’s words ask for a password, key, token or card number. Servers must not ask for these in a form.</source>
        <translation>服务器的话要求提供密码、密钥、令牌或卡号。服务器不得通过表单索要这些内容。</translation>
    </message>
    <message>
        <source>An allow for everything is not carried over.</source>
        <translation>允许一切的规则不会沿用。</translation>
    </message>
    <message>
        <source>“{key}” is not taken over: here nothing approves itself.</source>
        <translation>不沿用“{key}”：在这里没有任何东西会自行批准。</translation>
    </message>
    <message>
        <source>An era is auto, handshake or modern.</source>
        <translation>协议时代是 auto、handshake 或 modern。</translation>
    </message>
    <message>
        <source>This link names no server that could be added.</source>
        <translation>此链接没有指明可以添加的服务器。</translation>
    </message>
    <message>
        <source>This is no way to sign in that is known, or not of this kind.</source>
        <translation>这不是已知的登录设置，或类型不对。</translation>
    </message>
    <message>
        <source>A time limit is a number of seconds above 0.</source>
        <translation>时限是大于 0 的秒数。</translation>
    </message>
    <message>
        <source>There is no such kind of connection: {type}.</source>
        <translation>没有这种连接方式：{type}。</translation>
    </message>
    <message>
        <source>It has a command and an address; keep one of them.</source>
        <translation>它既有命令又有地址；请只保留一个。</translation>
    </message>
    <message>
        <source>“{name}” is built into the other program and no server of its own.</source>
        <translation>“{name}”内置在另一个程序里，不是独立的服务器。</translation>
    </message>
    <message>
        <source>It goes by a name, and a name is no identity: the person is asked.</source>
        <translation>它只按名称识别，而名称不是身份：会询问用户。</translation>
    </message>
    <message>
        <source>Only the command without any arguments is allowed: add them by hand.</source>
        <translation>只允许不带参数的命令：请手动添加参数。</translation>
    </message>
    <message>
        <source>This denial cannot be carried over as it is, so no server is allowed until you settle it.</source>
        <translation>此拒绝项无法原样沿用，因此在你处理之前不允许任何服务器。</translation>
    </message>
    <message>
        <source>“{key}” is not taken over.</source>
        <translation>不沿用“{key}”。</translation>
    </message>
    <message>
        <source>It holds half a letter, which no file can keep.</source>
        <translation>其中有半个字符，任何文件都无法保存。</translation>
    </message>
    <message>
        <source>“{name}” becomes a secret in your keyring.</source>
        <translation>“{name}”会成为你的密钥环中的机密。</translation>
    </message>
    <message>
        <source>What it says in {keys} is not carried over.</source>
        <translation>{keys} 中的内容不会沿用。</translation>
    </message>
    <message>
        <source>This is not a list, so no server is allowed.</source>
        <translation>这不是列表，因此不允许任何服务器。</translation>
    </message>
    <message>
        <source>It has neither a command nor an address.</source>
        <translation>它既没有命令也没有地址。</translation>
    </message>
    <message>
        <source>A server needs a name.</source>
        <translation>服务器需要名称。</translation>
    </message>
    <message>
        <source>{file} holds no servers in a shape that is known.</source>
        <translation>{file} 中没有已知格式的服务器。</translation>
    </message>
    <message>
        <source>This should be true or false.</source>
        <translation>这里应为 true 或 false。</translation>
    </message>
    <message>
        <source>This should be a list.</source>
        <translation>这里应为列表。</translation>
    </message>
    <message>
        <source>This should be an object in braces.</source>
        <translation>这里应为花括号中的对象。</translation>
    </message>
    <message>
        <source>This should be a text.</source>
        <translation>这里应为文本。</translation>
    </message>
    <message>
        <source>There is no server called “{name}”.</source>
        <translation>没有名为“{name}”的服务器。</translation>
    </message>
    <message>
        <source>This is not valid TOML: {what}</source>
        <translation>这不是有效的 TOML：{what}</translation>
    </message>
    <message>
        <source>This could not be understood, so it became the stricter thing.</source>
        <translation>无法理解此项，因此按更严格的方式处理。</translation>
    </message>
    <message>
        <source>This is not valid YAML: {what}</source>
        <translation>这不是有效的 YAML：{what}</translation>
    </message>
    <message>
        <source>It is turned off there, so it does not start by itself here.</source>
        <translation>它在那里是关闭的，所以在这里不会自行启动。</translation>
    </message>
    <message>
        <source>This is not about MCP servers.</source>
        <translation>这与 MCP 服务器无关。</translation>
    </message>
    <message>
        <source>What it says of parameters is not carried over: it holds for the whole tool.</source>
        <translation>关于参数的部分不会沿用：它适用于整个工具。</translation>
    </message>
    <message>
        <source>An address with a query, a fragment or brackets is not carried over.</source>
        <translation>带查询、片段或方括号的地址不会沿用。</translation>
    </message>
    <message>
        <source>There is no registry of servers here, so that none is allowed.</source>
        <translation>这里没有服务器注册表，因此不允许任何服务器。</translation>
    </message>
    <message>
        <source>It comes as “{name}”, because the name stands in the file twice.</source>
        <translation>名称在文件中出现了两次，因此它以“{name}”导入。</translation>
    </message>
    <message>
        <source>This becomes “{key}”.</source>
        <translation>这会变为“{key}”。</translation>
    </message>
    <message>
        <source>“{name}” stands here more than once; the last one counts.</source>
        <translation>“{name}”在这里出现了不止一次；以最后一个为准。</translation>
    </message>
    <message>
        <source>“{name}” is not set in the environment; the server does not start without it.</source>
        <translation>环境变量“{name}”未设置；没有它，服务器不会启动。</translation>
    </message>
    <message>
        <source>It has a variable whose value is not known here.</source>
        <translation>其中包含此处未知的变量。</translation>
    </message>
    <message>
        <source>workspaceFolder resolves to the first root that is shared with the server.</source>
        <translation>workspaceFolder 解析为与该服务器共享的第一个根目录。</translation>
    </message>
    <message>
        <source>The system’s keyring cannot be used, so this is kept until the program ends and written nowhere.</source>
        <translation>无法使用系统的密钥环，因此此内容只保留到程序结束，不会写入任何地方。</translation>
    </message>
    <message>
        <source>The system’s keyring cannot be used ({what}). Unlock it, or install one, and try again.</source>
        <translation>无法使用系统密钥环（{what}）。请将其解锁，或安装一个密钥环，然后重试。</translation>
    </message>
    <message>
        <source>forms</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>links</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>questions for folders</source>
        <translation>文件夹请求</translation>
    </message>
    <message>
        <source>requests to a model</source>
        <translation>模型请求</translation>
    </message>
    <message>
        <source>answers of a model</source>
        <translation>模型回复</translation>
    </message>
    <message>
        <source>new or changed servers</source>
        <translation>新的或已更改的服务器</translation>
    </message>
    <message>
        <source>calls of tools</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>{server} has used up today’s {dollars} dollars, so its request was refused.</source>
        <translation>{server} 今天的 {dollars} 美元额度已用完，因此其请求被拒绝。</translation>
    </message>
    <message>
        <source>A form with more than {count} fields was refused.</source>
        <translation>已拦截一个超过 {count} 个字段的表单。</translation>
    </message>
    <message>
        <source>A question longer than {count} KB was refused.</source>
        <translation>已拦截一个超过 {count} KB 的请求。</translation>
    </message>
    <message>
        <source>The server sent the same question twice; the second one was refused.</source>
        <translation>服务器发送了两次相同的请求，第二次已被拦截。</translation>
    </message>
    <message>
        <source>{server} asked models more than {count} times in a minute, so its request was refused.</source>
        <translation>{server} 在一分钟内请求模型超过 {count} 次，因此其请求被拒绝。</translation>
    </message>
    <message>
        <source>A form whose description is longer than {count} KB was refused.</source>
        <translation>描述超过 {count} KB 的表单已被拦截。</translation>
    </message>
    <message>
        <source>{server} has used up today’s {count} tokens, so its request was refused.</source>
        <translation>{server} 今天的 {count} 个令牌已用完，因此其请求被拒绝。</translation>
    </message>
    <message>
        <source>Too many questions of {server} are waiting, so one more was refused.</source>
        <translation>“{server}”待处理的请求过多，新的请求已被拦截。</translation>
    </message>
    <message>
        <source>{server} asked more than {count} times in a minute, so its question was refused.</source>
        <translation>{server} 在一分钟内提问超过 {count} 次，因此该问题已被拦截。</translation>
    </message>
    <message>
        <source>The call asked a model more than {count} times, so the next request was refused.</source>
        <translation>此调用向模型提问超过 {count} 次，因此下一个请求已被拦截。</translation>
    </message>
    <message>
        <source>The address is a bare number, {host}, not a name. Real services rarely use one.</source>
        <translation>地址是一串数字 {host}，而不是名称。正规服务很少这样。</translation>
    </message>
    <message>
        <source>The address carries what looks like a key or a password (“{name}”). Anybody who sees the address has it.</source>
        <translation>此地址带有疑似密钥或密码的内容（“{name}”）。任何看到此地址的人都能得到它。</translation>
    </message>
    <message>
        <source>The address hides a bare number: {host} is really {sent}.</source>
        <translation>此地址隐藏了一个数字地址：{host} 实际是 {sent}。</translation>
    </message>
    <message>
        <source>The address holds invisible or direction-changing characters. They are written out below.</source>
        <translation>此地址含有不可见或会改变文字方向的字符。它们在下方会显示出来。</translation>
    </message>
    <message>
        <source>The name {host} looks like {alike} but is another. Do not enter a password there that belongs to {alike}.</source>
        <translation>名称 {host} 看起来像 {alike}，但并不是。不要在那里输入属于 {alike} 的密码。</translation>
    </message>
    <message>
        <source>No browser could be opened. The server was told that you cancelled.</source>
        <translation>无法打开浏览器。已告知服务器你取消了请求。</translation>
    </message>
    <message>
        <source>The server sent a link that is no valid web address. It was refused.</source>
        <translation>服务器发来的链接不是有效的网址，已被拦截。</translation>
    </message>
    <message>
        <source>The server sent a link that is not encrypted. It was refused.</source>
        <translation>服务器发来的链接未加密，已被拦截。</translation>
    </message>
    <message>
        <source>The address uses the unusual port {port}.</source>
        <translation>地址使用了不常见的端口 {port}。</translation>
    </message>
    <message>
        <source>The name {host} has letters of other scripts, which can imitate a name you know. Really contacted: {sent}</source>
        <translation>名称 {host} 含有其他文字的字母，可能在冒充你熟悉的名称。实际访问的是：{sent}</translation>
    </message>
    <message>
        <source>The address may send you on to another host: {host}</source>
        <translation>此地址可能会把你转到另一个主机：{host}</translation>
    </message>
    <message>
        <source>The server sent a link that is no web address. It was refused.</source>
        <translation>服务器发来的链接不是网址，已被拦截。</translation>
    </message>
    <message>
        <source>The host {host} belongs to no single owner.</source>
        <translation>主机 {host} 不属于任何单一所有者。</translation>
    </message>
    <message>
        <source>The page is on this computer.</source>
        <translation>此网页在这台电脑上。</translation>
    </message>
    <message>
        <source>The server sent a link that is too long. It was refused.</source>
        <translation>服务器发来的链接过长，已被拦截。</translation>
    </message>
    <message>
        <source>The address hides its host behind a user name. Really contacted: {host}</source>
        <translation>地址用用户名掩盖了主机。实际访问的是：{host}</translation>
    </message>
    <message>
        <source>The address is very long ({count} characters). Read it to its end.</source>
        <translation>此地址很长（{count} 个字符）。请读到末尾。</translation>
    </message>
    <message>
        <source>It allows everything of these kinds, from every server.</source>
        <translation>它允许来自所有服务器的这些类型的一切请求。</translation>
    </message>
    <message>
        <source>A form is always filled in by the person: an allow changes nothing.</source>
        <translation>表单始终由用户填写：允许规则不起作用。</translation>
    </message>
    <message>
        <source>A link is always shown to the person: an allow changes nothing.</source>
        <translation>链接始终会向用户显示：允许规则不起作用。</translation>
    </message>
    <message>
        <source>Where a secret is found the person is always asked: an allow changes nothing.</source>
        <translation>发现机密信息时始终会询问用户：允许规则不起作用。</translation>
    </message>
    <message>
        <source>It ended on {when} UTC.</source>
        <translation>它已于 {when} UTC 到期。</translation>
    </message>
    <message>
        <source>Its command fetches whatever version is the newest, so what is allowed today may be something else tomorrow. Name an exact version.</source>
        <translation>它的命令会获取最新版本，因此今天允许的内容明天可能就不同了。请写明确切版本。</translation>
    </message>
    <message>
        <source>It can never match: {condition} says nothing about asks of these kinds.</source>
        <translation>它永远不会匹配：{condition} 与这些类型的请求无关。</translation>
    </message>
    <message>
        <source>There is no such server here.</source>
        <translation>这里没有这样的服务器。</translation>
    </message>
    <message>
        <source>No tool here is called {tool}.</source>
        <translation>这里没有名为 {tool} 的工具。</translation>
    </message>
    <message>
        <source>The rule “{rule}” fits wherever this one does, and decides.</source>
        <translation>凡此规则适用之处，规则“{rule}”也适用，并由它决定。</translation>
    </message>
    <message>
        <source>{file} has a mistake at line {line}, column {column} ({pointer}).</source>
        <translation>{file} 第 {line} 行第 {column} 列有错误（{pointer}）。</translation>
    </message>
    <message>
        <source>{file} is a link or no file.</source>
        <translation>{file} 是链接，或者不是文件。</translation>
    </message>
    <message>
        <source>{file} does not belong to the administrator.</source>
        <translation>{file} 不属于管理员。</translation>
    </message>
    <message>
        <source>{file} cannot be read ({what}).</source>
        <translation>无法读取 {file}（{what}）。</translation>
    </message>
    <message>
        <source>Ordinary users may change {file}.</source>
        <translation>普通用户可以修改 {file}。</translation>
    </message>
    <message>
        <source>The proxy on the way to {host} cannot be used. Check the proxy settings of this computer.</source>
        <translation>通往 {host} 的代理无法使用。请检查本机的代理设置。</translation>
    </message>
    <message>
        <source>The model’s answer broke off. Nothing was sent to the server; you can ask again.</source>
        <translation>模型的回答中断了。没有向服务器发送任何内容，你可以重新询问。</translation>
    </message>
    <message>
        <source>The model’s use of a tool was no whole one, so there is no answer.</source>
        <translation>模型对工具的使用不完整，因此没有回答。</translation>
    </message>
    <message>
        <source>{host} is busy. Try again in {seconds} seconds.</source>
        <translation>{host} 正忙。请在 {seconds} 秒后重试。</translation>
    </message>
    <message>
        <source>{host} is busy. Try again in a moment.</source>
        <translation>{host} 正忙。请稍后再试。</translation>
    </message>
    <message>
        <source>Your administrator does not allow the model {model}.</source>
        <translation>你的管理员不允许使用模型 {model}。</translation>
    </message>
    <message>
        <source>{host} did not accept the key. Check it in Settings.</source>
        <translation>{host} 不接受该密钥。请在“设置”中检查。</translation>
    </message>
    <message>
        <source>A part of type “{kind}” cannot be passed to this model.</source>
        <translation>类型为“{kind}”的内容无法传递给此模型。</translation>
    </message>
    <message>
        <source>The server’s metadata is not passed on: it may identify you.</source>
        <translation>不转发服务器的元数据：它可能会暴露你的身份。</translation>
    </message>
    <message>
        <source>Only the first {count} stop sequences can be passed on.</source>
        <translation>只能传递前 {count} 个停止序列。</translation>
    </message>
    <message>
        <source>The wanted temperature cannot be set for this provider.</source>
        <translation>此提供方无法设置所需的温度。</translation>
    </message>
    <message>
        <source>This model cannot be given tools, so they are left out.</source>
        <translation>无法向此模型提供工具，因此略去。</translation>
    </message>
    <message>
        <source>Images in a tool’s result are passed on as a message of their own.</source>
        <translation>工具结果中的图片会作为单独的消息转发。</translation>
    </message>
    <message>
        <source>This model cannot hear sounds.</source>
        <translation>此模型无法处理声音。</translation>
    </message>
    <message>
        <source>The file of certificates cannot be read: {file}</source>
        <translation>无法读取证书文件：{file}</translation>
    </message>
    <message>
        <source>This model cannot see images.</source>
        <translation>此模型无法识别图片。</translation>
    </message>
    <message>
        <source>The request is longer than this model can read ({count} tokens).</source>
        <translation>请求超出此模型可读取的长度（{count} 个 token）。</translation>
    </message>
    <message>
        <source>This model cannot use tools.</source>
        <translation>此模型无法使用工具。</translation>
    </message>
    <message>
        <source>{host} does not know this model or address. Check both in Settings.</source>
        <translation>{host} 没有此模型或地址。请在“设置”中检查这两项。</translation>
    </message>
    <message>
        <source>The practice model could not be started on this computer.</source>
        <translation>无法在这台电脑上启动练习模型。</translation>
    </message>
    <message>
        <source>{host} refused the request (status {status}).</source>
        <translation>{host} 拒绝了请求（状态 {status}）。</translation>
    </message>
    <message>
        <source>There is no model “{model}”.</source>
        <translation>没有名为“{model}”的模型。</translation>
    </message>
    <message>
        <source>{host} cannot be reached. Check the address in Settings and that the model server runs.</source>
        <translation>无法连接到 {host}。请检查“设置”中的地址，并确认模型服务器正在运行。</translation>
    </message>
    <message>
        <source>The cheapest that fits, as the server asks for low cost.</source>
        <translation>符合条件中最便宜的，因为服务器要求低成本。</translation>
    </message>
    <message>
        <source>Your administrator allows none of your models, so you write the answer.</source>
        <translation>你的管理员不允许使用你的任何模型，因此由你来写回答。</translation>
    </message>
    <message>
        <source>Chosen because the server hints “{hint}”.</source>
        <translation>按服务器的建议“{hint}”选择。</translation>
    </message>
    <message>
        <source>The most able that fits, as the server asks for an able model.</source>
        <translation>符合条件中能力最强的，因为服务器要求能力强的模型。</translation>
    </message>
    <message>
        <source>No model here matches the server’s hint “{hint}”, so your own choice is used.</source>
        <translation>这里没有模型符合服务器的建议“{hint}”，因此使用你选择的模型。</translation>
    </message>
    <message>
        <source>None of your models can do this, so you write the answer.</source>
        <translation>你的模型都无法完成，因此由你撰写回答。</translation>
    </message>
    <message>
        <source>Your model cannot be used now, so you write the answer.</source>
        <translation>你的模型暂时无法使用，因此由你撰写回答。</translation>
    </message>
    <message>
        <source>The model you chose in Settings.</source>
        <translation>你在“设置”中选择的模型。</translation>
    </message>
    <message>
        <source>The cheapest that fits, as you prefer in Settings.</source>
        <translation>按你在设置中的偏好，这是合适的模型中最便宜的。</translation>
    </message>
    <message>
        <source>The most able that fits, as you prefer in Settings.</source>
        <translation>按你在设置中的偏好，这是合适的模型中能力最强的。</translation>
    </message>
    <message>
        <source>The fastest that fits, as you prefer in Settings.</source>
        <translation>按你在设置中的偏好，这是合适的模型中最快的。</translation>
    </message>
    <message>
        <source>It comes with the program and works offline. It is very small and often wrong.</source>
        <translation>它随程序提供，可离线使用。它很小，常常出错。</translation>
    </message>
    <message>
        <source>The model you prefer in Settings.</source>
        <translation>你在设置中偏好的模型。</translation>
    </message>
    <message>
        <source>The fastest that fits, as the server asks for speed.</source>
        <translation>符合条件中最快的，因为服务器要求速度。</translation>
    </message>
    <message>
        <source>No model is set up, so you write the answer. Add one in Settings.</source>
        <translation>尚未设置模型，因此由你撰写回答。可在“设置”中添加模型。</translation>
    </message>
    <message>
        <source>{file}: one provider is not usable and was left out.</source>
        <translation>{file}：有一个提供方无法使用，已略去。</translation>
    </message>
    <message>
        <source>Signing in did not work: what the server and its sign-in page say does not fit together.</source>
        <translation>登录未成功：服务器与其登录页面所说的不一致。</translation>
    </message>
    <message>
        <source>The sign-in page of this server is not safe enough (it has no S256), so it was not opened.</source>
        <translation>此服务器的登录页面不够安全（没有 S256），因此没有打开。</translation>
    </message>
    <message>
        <source>Not connected, because you did not open the sign-in page.</source>
        <translation>未连接，因为你没有打开登录页面。</translation>
    </message>
    <message>
        <source>The port {port}, to which the browser comes back, is taken by another program.</source>
        <translation>浏览器要返回的端口 {port} 已被其他程序占用。</translation>
    </message>
    <message>
        <source>The sign-in page of this server does not take this program. Ask its owner for a client id and put it into servers.json.</source>
        <translation>此服务器的登录页面不接受本程序。请向其所有者索取客户端 ID，并写入 servers.json。</translation>
    </message>
    <message>
        <source>The server did not accept the sign-in. Start it again to sign in anew.</source>
        <translation>服务器不接受此次登录。请重新启动它以再次登录。</translation>
    </message>
    <message>
        <source>Nobody signed in for ten minutes. Start the server again to try once more.</source>
        <translation>十分钟内没有人登录。请重新启动服务器再试一次。</translation>
    </message>
    <message>
        <source>Sign in in your browser. The server goes on when you are done.</source>
        <translation>请在浏览器中登录。完成后服务器会继续。</translation>
    </message>
    <message>
        <source>This value cannot be used: {what}</source>
        <translation>此值不可用：{what}</translation>
    </message>
    <message>
        <source>The name “{name}” stands twice in one object.</source>
        <translation>名称“{name}”在同一个对象中出现了两次。</translation>
    </message>
    <message>
        <source>{name} is missing.</source>
        <translation>缺少 {name}。</translation>
    </message>
    <message>
        <source>{file}, line {line}, column {column}: {what} cannot be used.</source>
        <translation>{file} 第 {line} 行第 {column} 列：{what} 不可用。</translation>
    </message>
    <message>
        <source>Another rule has the id “{rule}” too.</source>
        <translation>另一条规则也使用了标识“{rule}”。</translation>
    </message>
    <message>
        <source>There is no {name} here.</source>
        <translation>这里没有 {name} 这一项。</translation>
    </message>
    <message>
        <source>This is version {version}; Desktop Host knows version 1.</source>
        <translation>这是版本 {version}；Desktop Host 只认识版本 1。</translation>
    </message>
    <message>
        <source>The record cannot be written ({what}), so nothing was sent. Look whether the disk is full or its folder is gone.</source>
        <translation>无法写入记录（{what}），因此没有发送任何内容。请检查磁盘是否已满，或其文件夹是否已不存在。</translation>
    </message>
    <message>
        <source>Its bytes are not what they should be, so they cannot be saved.</source>
        <translation>它的字节不符合规定，因此无法保存。</translation>
    </message>
    <message>
        <source>The result does not match the tool’s own description: {what}</source>
        <translation>结果不符合工具自己的描述：{what}</translation>
    </message>
    <message>
        <source>matches its schema</source>
        <translation>符合输出结构</translation>
    </message>
    <message>
        <source>The result could not be checked against the tool’s description.</source>
        <translation>无法按工具的描述检查结果。</translation>
    </message>
    <message>
        <source>The tool describes a structured result but sent none.</source>
        <translation>工具描述了结构化结果，但没有发送。</translation>
    </message>
    <message>
        <source>{file}: an entry is not a folder and was left out.</source>
        <translation>{file}：有一项不是文件夹，已略去。</translation>
    </message>
    <message>
        <source>“{path}” is in “{excluded}”, which is never offered. Allow that folder again first.</source>
        <translation>“{path}”位于从不提供的“{excluded}”中。请先重新允许该文件夹。</translation>
    </message>
    <message>
        <source>“{path}” is not a folder.</source>
        <translation>“{path}”不是文件夹。</translation>
    </message>
    <message>
        <source>Allow {kinds}{conditions}.</source>
        <translation>允许{kinds}{conditions}。</translation>
    </message>
    <message>
        <source>Always ask about {kinds}{conditions}.</source>
        <translation>始终询问{kinds}{conditions}。</translation>
    </message>
    <message>
        <source>Deny {kinds}{conditions}.</source>
        <translation>拒绝{kinds}{conditions}。</translation>
    </message>
    <message>
        <source>{file} has mistakes. Correct them first; nothing was changed.</source>
        <translation>{file} 有错误。请先更正；未做任何更改。</translation>
    </message>
    <message>
        <source>The server wants an answer of up to {wanted} tokens. It was cut down to {most}.</source>
        <translation>服务器希望回答最多 {wanted} 个 token，已减为 {most} 个。</translation>
    </message>
    <message>
        <source>The server wants an answer of up to {wanted} tokens. Your administrator allows {most}.</source>
        <translation>服务器希望回答最多 {wanted} 个 token。你的管理员允许 {most} 个。</translation>
    </message>
    <message>
        <source>The server’s request to a model is malformed ({field}). It was refused.</source>
        <translation>服务器发给模型的请求格式有误（{field}），已被拦截。</translation>
    </message>
    <message>
        <source>The server asked to include the context of other servers. None is included.</source>
        <translation>服务器要求附上其他服务器的上下文。没有附上任何上下文。</translation>
    </message>
    <message>
        <source>The server wants a tool to be used, but the model used none.</source>
        <translation>服务器要求使用工具，但模型没有使用。</translation>
    </message>
    <message>
        <source>It seems to hold personal data in {count} places.</source>
        <translation>其中 {count} 处似乎含有个人数据。</translation>
    </message>
    <message>
        <source>This holds what looks like a secret ({count}).</source>
        <translation>这里含有疑似机密的内容（{count} 处）。</translation>
    </message>
    <message>
        <source>Message {number} holds a part of unknown type “{kind}”, which no model can be given.</source>
        <translation>第 {number} 条消息含有未知类型“{kind}”的内容，无法交给任何模型。</translation>
    </message>
    <message>
        <source>Your administrator does not allow this server ({file}).</source>
        <translation>你的管理员不允许此服务器（{file}）。</translation>
    </message>
    <message>
        <source>The server ended by itself (exit code {code}).</source>
        <translation>服务器自行退出（代码 {code}）。</translation>
    </message>
    <message>
        <source>The server ended by itself (exit code {code}). Its last words: {last}</source>
        <translation>服务器自行退出（代码 {code}）。最后的输出：{last}</translation>
    </message>
    <message>
        <source>This server is not among those that your administrator allows ({file}).</source>
        <translation>此服务器不在你的管理员允许的范围内（{file}）。</translation>
    </message>
    <message>
        <source>{file}, line {line}, column {column}: “{key}” is not usable. The other servers are.</source>
        <translation>{file}，第 {line} 行第 {column} 列：“{key}”无法使用。其他服务器不受影响。</translation>
    </message>
    <message>
        <source>“{name}” is offered by your administrator and cannot be removed.</source>
        <translation>“{name}”由你的管理员提供，无法删除。</translation>
    </message>
    <message>
        <source>There is a server called “{name}” already. Choose another name.</source>
        <translation>已有名为“{name}”的服务器。请换一个名称。</translation>
    </message>
    <message>
        <source>“{text}” should be KEY=VALUE.</source>
        <translation>“{text}”应为 KEY=VALUE。</translation>
    </message>
    <message>
        <source>{file}: “{key}” must be an object.</source>
        <translation>{file}：“{key}”必须是对象。</translation>
    </message>
    <message>
        <source>“{option}” belongs to the other kind of server: a command has variables and a folder, an address has headers.</source>
        <translation>“{option}”属于另一种服务器：命令有变量和文件夹，地址有标头。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Dollars a day</source>
        <translation>每天美元额度</translation>
    </message>
    <message>
        <source>For one server’s requests to models, as far as prices are known. 0 is no limit.</source>
        <translation>同一服务器的模型请求费用（在已知价格范围内）。0 表示不限。</translation>
    </message>
    <message>
        <source>Longest message of a question, in KB</source>
        <translation>问题文字的最大长度（KB）</translation>
    </message>
    <message>
        <source>A server’s question with a longer text is refused.</source>
        <translation>服务器的问题文字更长时会被拒绝。</translation>
    </message>
    <message>
        <source>Questions a minute</source>
        <translation>每分钟请求数</translation>
    </message>
    <message>
        <source>More from one server are refused, and shown in Activity.</source>
        <translation>同一服务器超出的请求会被拒绝，并显示在“活动”中。</translation>
    </message>
    <message>
        <source>Requests to models a minute</source>
        <translation>每分钟模型请求数</translation>
    </message>
    <message>
        <source>From one server, however they are answered.</source>
        <translation>来自同一服务器，无论如何答复。</translation>
    </message>
    <message>
        <source>Largest form, in KB</source>
        <translation>表单的最大大小（KB）</translation>
    </message>
    <message>
        <source>A form whose description is larger is refused.</source>
        <translation>描述更大的表单会被拒绝。</translation>
    </message>
    <message>
        <source>Tokens a day</source>
        <translation>每天令牌数</translation>
    </message>
    <message>
        <source>For one server’s requests to models, read and written.</source>
        <translation>同一服务器的模型请求所读写的令牌。</translation>
    </message>
    <message>
        <source>Questions waiting at once</source>
        <translation>同时等待的请求数</translation>
    </message>
    <message>
        <source>From one server; all that come together count as one.</source>
        <translation>来自同一服务器；一起到来的算作一个。</translation>
    </message>
    <message>
        <source>Model you prefer</source>
        <translation>你偏好的模型</translation>
    </message>
    <message>
        <source>Its name or id. It is suggested whatever a server hints; you can choose another in each request. Empty: as below.</source>
        <translation>它的名称或 ID。无论服务器提示什么都会推荐它；每个请求中都可以另选。留空则按下面的设置。</translation>
    </message>
    <message>
        <source>What matters most in a model</source>
        <translation>选择模型时最看重什么</translation>
    </message>
    <message>
        <source>Decides among several models where none is preferred and no hint fits.</source>
        <translation>没有偏好的模型、也没有提示匹配时，用它在多个模型中选择。</translation>
    </message>
    <message>
        <source>More certificates to trust</source>
        <translation>其他受信任的证书</translation>
    </message>
    <message>
        <source>A PEM file, for networks with a certificate of their own. The system’s are trusted anyway.</source>
        <translation>PEM 文件，用于使用自有证书的网络。系统证书始终受信任。</translation>
    </message>
    <message>
        <source>Days to keep the record</source>
        <translation>记录保留天数</translation>
    </message>
    <message>
        <source>Older entries are removed, and the removal is itself an entry.</source>
        <translation>更早的条目会被删除，而删除本身也是一条记录。</translation>
    </message>
    <message>
        <source>Megabytes to keep of the record</source>
        <translation>记录保留大小（MB）</translation>
    </message>
    <message>
        <source>The oldest entries go first.</source>
        <translation>最早的条目先删除。</translation>
    </message>
    <message>
        <source>Keep what I enter into forms in the record</source>
        <translation>在记录中保留我填入表单的内容</translation>
    </message>
    <message>
        <source>Otherwise only the names of the fields are kept. Masked fields never are.</source>
        <translation>否则只保留字段名称。已遮盖的字段从不保留。</translation>
    </message>
    <message>
        <source>Questions for folders</source>
        <translation>文件夹请求</translation>
    </message>
    <message>
        <source>Only folders you shared before are ever told.</source>
        <translation>只会告知你之前共享的文件夹。</translation>
    </message>
    <message>
        <source>Requests to models and their answers</source>
        <translation>模型请求及其回复</translation>
    </message>
    <message>
        <source>With No, each of them comes to you, whatever rules of yours say.</source>
        <translation>选择“否”时，无论你的规则如何，每一个都会询问你。</translation>
    </message>
    <message>
        <source>Calls of tools</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>It is about calls that a model wants to make.</source>
        <translation>指模型想要进行的调用。</translation>
    </message>
    <message>
        <source>Ask me about everything</source>
        <translation>一切都询问我</translation>
    </message>
    <message>
        <source>No rule allows anything for you as long as this is on.</source>
        <translation>开启期间，任何规则都不会替你放行。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Light, dark, or as the system has it.</source>
        <translation>浅色、深色，或跟随系统。</translation>
    </message>
    <message>
        <source>{file}: the value of “{key}” is not usable; the default is used.</source>
        <translation>{file}：“{key}”的值无法使用，已改用默认值。</translation>
    </message>
    <message>
        <source>The text holds invisible or direction-changing characters. They are written out here.</source>
        <translation>文本含有不可见或会改变文字方向的字符。它们在这里会显示出来。</translation>
    </message>
    <message>
        <source>that hold nothing but {wanted}</source>
        <translation>只含 {wanted}</translation>
    </message>
    <message>
        <source>that ask for no password, key or card number</source>
        <translation>未要求提供密码、密钥或卡号</translation>
    </message>
    <message>
        <source>that ask for a password, a key or a card number</source>
        <translation>要求提供密码、密钥或卡号</translation>
    </message>
    <message>
        <source>by a tool that the server says destroys nothing</source>
        <translation>服务器称工具不会造成破坏</translation>
    </message>
    <message>
        <source>by a tool that the server says may destroy things</source>
        <translation>服务器称工具可能造成破坏</translation>
    </message>
    <message>
        <source>that ask for nothing but {wanted}</source>
        <translation>只询问 {wanted}</translation>
    </message>
    <message>
        <source>without tools</source>
        <translation>不附带工具</translation>
    </message>
    <message>
        <source>with tools</source>
        <translation>附带工具</translation>
    </message>
    <message>
        <source>between {wanted}</source>
        <translation>时间为 {wanted}</translation>
    </message>
    <message>
        <source>from {wanted}</source>
        <translation>来自 {wanted}</translation>
    </message>
    <message>
        <source>“{name}” cannot be the name: it is empty, or another workspace has it.</source>
        <translation>“{name}”不能作为名称：它是空的，或已被另一个工作区使用。</translation>
    </message>
    <message>
        <source>There is no workspace “{name}”.</source>
        <translation>没有名为“{name}”的工作区。</translation>
    </message>
    <message>
        <source>to a host that looks like no other one</source>
        <translation>指向不与其他主机相似的主机</translation>
    </message>
    <message>
        <source>Marked in requests, and masked with one click</source>
        <translation>在请求中标出，并可一键隐去</translation>
    </message>
    <message>
        <source>Answers in forms that hold one of these secrets are pointed out too. Rules look for all kinds, whatever is ticked here.</source>
        <translation>表单中的回答若含有这些机密信息，也会指出来。规则始终查找所有种类，与此处的选择无关。</translation>
    </message>
    <message>
        <source>Also masked in the record, in Traffic and in Console</source>
        <translation>在记录、通信和控制台中还要隐去</translation>
    </message>
    <message>
        <source>Keys, tokens, passwords, card and account numbers always are.</source>
        <translation>密钥、令牌、密码、卡号和账号始终会隐去。</translation>
    </message>
    <message>
        <source>to a host that looks like another one</source>
        <translation>指向与另一个主机相似的主机</translation>
    </message>
    <message>
        <source>for up to {wanted} tokens</source>
        <translation>最多 {wanted} 个令牌</translation>
    </message>
    <message>
        <source>with {wanted}</source>
        <translation>模型为 {wanted}</translation>
    </message>
    <message>
        <source>when no personal data are found</source>
        <translation>未发现个人数据时</translation>
    </message>
    <message>
        <source>when personal data are found</source>
        <translation>发现个人数据时</translation>
    </message>
    <message>
        <source>with a prompt of up to {wanted} tokens</source>
        <translation>提示最多 {wanted} 个令牌</translation>
    </message>
    <message>
        <source>at most {count} times in {seconds} seconds</source>
        <translation>{seconds} 秒内最多 {count} 次</translation>
    </message>
    <message>
        <source>by a tool that the server says changes things</source>
        <translation>服务器称工具会做更改</translation>
    </message>
    <message>
        <source>by a tool that the server says only reads</source>
        <translation>服务器称工具只读取</translation>
    </message>
    <message>
        <source>when no secret is found</source>
        <translation>未发现机密信息时</translation>
    </message>
    <message>
        <source>when a secret is found</source>
        <translation>发现机密信息时</translation>
    </message>
    <message>
        <source>of the tool {wanted}</source>
        <translation>工具为 {wanted}</translation>
    </message>
    <message>
        <source>of the tool’s definition {wanted}</source>
        <translation>工具定义为 {wanted}</translation>
    </message>
    <message>
        <source>until {date} UTC</source>
        <translation>至 {date} UTC</translation>
    </message>
    <message>
        <source>to {wanted}</source>
        <translation>指向 {wanted}</translation>
    </message>
    <message>
        <source>that begin with {wanted}</source>
        <translation>以 {wanted} 开头</translation>
    </message>
    <message>
        <source>It holds {actual}; the rule says {wanted} and nothing else.</source>
        <translation>内容类型为 {actual}；规则只允许 {wanted}。</translation>
    </message>
    <message>
        <source>The form asks for no password, key or card number.</source>
        <translation>表单未要求提供密码、密钥或卡号。</translation>
    </message>
    <message>
        <source>The form asks for a password, a key or a card number.</source>
        <translation>表单要求提供密码、密钥或卡号。</translation>
    </message>
    <message>
        <source>The server says that the tool destroys nothing.</source>
        <translation>服务器称此工具不会造成破坏。</translation>
    </message>
    <message>
        <source>The server says that the tool may destroy things.</source>
        <translation>服务器称此工具可能造成破坏。</translation>
    </message>
    <message>
        <source>The fields are {actual}; the rule says {wanted} and no others.</source>
        <translation>字段为 {actual}；规则只允许 {wanted}。</translation>
    </message>
    <message>
        <source>No tools come with it.</source>
        <translation>不附带工具。</translation>
    </message>
    <message>
        <source>Tools come with it.</source>
        <translation>附带工具。</translation>
    </message>
    <message>
        <source>It was {actual}; the rule says {wanted}.</source>
        <translation>时间是 {actual}；规则规定 {wanted}。</translation>
    </message>
    <message>
        <source>Your settings do not let rules of yours allow this.</source>
        <translation>你的设置不允许你的规则放行此类请求。</translation>
    </message>
    <message>
        <source>The host looks like no other one.</source>
        <translation>该主机不与其他主机相似。</translation>
    </message>
    <message>
        <source>The host looks like another one.</source>
        <translation>该主机与另一个主机相似。</translation>
    </message>
    <message>
        <source>Up to {actual} tokens are asked for; the rule says at most {wanted}.</source>
        <translation>请求最多 {actual} 个令牌；规则规定最多 {wanted} 个。</translation>
    </message>
    <message>
        <source>The model is {actual}; the rule is about {wanted}.</source>
        <translation>模型是 {actual}；规则针对 {wanted}。</translation>
    </message>
    <message>
        <source>You have not seen the request, and the rule is not about requests.</source>
        <translation>你没有看过该请求，而此规则不涉及请求。</translation>
    </message>
    <message>
        <source>Only an administrator’s rule can let a new server start.</source>
        <translation>只有管理员的规则才能让新服务器启动。</translation>
    </message>
    <message>
        <source>No personal data were found.</source>
        <translation>未发现个人数据。</translation>
    </message>
    <message>
        <source>Personal data were found.</source>
        <translation>发现了个人数据。</translation>
    </message>
    <message>
        <source>The prompt has some {actual} tokens; the rule says at most {wanted}.</source>
        <translation>提示约有 {actual} 个令牌；规则规定最多 {wanted} 个。</translation>
    </message>
    <message>
        <source>It was used {count} times within {seconds} seconds already.</source>
        <translation>它在 {seconds} 秒内已使用 {count} 次。</translation>
    </message>
    <message>
        <source>The server says that the tool changes things.</source>
        <translation>服务器称此工具会做更改。</translation>
    </message>
    <message>
        <source>The server says that the tool only reads.</source>
        <translation>服务器称此工具只读取。</translation>
    </message>
    <message>
        <source>No secret was found.</source>
        <translation>未发现机密信息。</translation>
    </message>
    <message>
        <source>The server is {actual}; the rule is about {wanted}.</source>
        <translation>服务器是 {actual}；规则针对 {wanted}。</translation>
    </message>
    <message>
        <source>You want to be asked about everything.</source>
        <translation>你希望对一切都先询问你。</translation>
    </message>
    <message>
        <source>The tool is {actual}; the rule is about {wanted}.</source>
        <translation>工具是 {actual}；规则针对 {wanted}。</translation>
    </message>
    <message>
        <source>The tool’s definition is {actual}; the rule is about {wanted}.</source>
        <translation>工具定义是 {actual}；规则针对 {wanted}。</translation>
    </message>
    <message>
        <source>It is not known.</source>
        <translation>未知。</translation>
    </message>
    <message>
        <source>The host is {actual}; the rule is about {wanted}.</source>
        <translation>主机是 {actual}；规则针对 {wanted}。</translation>
    </message>
    <message>
        <source>The link begins with {actual}; the rule says {wanted}.</source>
        <translation>链接以 {actual} 开头；规则规定 {wanted}。</translation>
    </message>
    <message>
        <source>{file} has mistakes, so that no rule of yours allows anything.</source>
        <translation>{file} 有错误，因此你的规则都不会放行任何内容。</translation>
    </message>
    <message>
        <source>Your administrator does not let rules of yours allow anything.</source>
        <translation>你的管理员不允许你的规则放行任何内容。</translation>
    </message>
</context>
</TS>
