import type { Example } from '../../example.fixture.ts'
import { plain, servlet } from './servlet.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JV-CMD-01',
    bad: [
      servlet(`Runtime.getRuntime().exec("ping " + request.getParameter("host")); // ← here`),
      servlet(`
        String[] command = {"sh", "-c", "ls " + request.getParameter("folder")};
        Runtime runtime = Runtime.getRuntime();
        runtime.exec(command); // ← here`),
      servlet(`
        List<String> command = new ArrayList<>();
        if (System.getProperty("os.name").contains("Windows")) { command.add("cmd.exe"); command.add("/c"); }
        else { command.add("sh"); command.add("-c"); }
        command.add("echo " + request.getParameter("text"));
        ProcessBuilder builder = new ProcessBuilder();
        builder.command(command); // ← here
        builder.start();`),
      servlet(`
        String tool = request.getCookies()[0].getValue();
        new ProcessBuilder(tool, "--version").start(); // ← here`),
      servlet(`
        String[] environment = {request.getParameter("setting")};
        Runtime.getRuntime().exec(new String[] {"sh", "-c", "run"}, environment); // ← here`),
    ],
    good: [
      servlet(`new ProcessBuilder("convert", "--", request.getParameter("file")).start();`),
      servlet(`
        String format = request.getParameter("format");
        String tool = "png".equals(format) ? "topng" : "tojpeg";
        Runtime.getRuntime().exec("/usr/bin/" + tool);`),
      servlet(`
        String[] values = {request.getParameter("a"), "fixed"};
        Runtime.getRuntime().exec("run " + values[1]);`),
      servlet(`
        Map<String, String> values = new HashMap<>();
        values.put("user", request.getParameter("user"));
        values.put("program", "uptime");
        Runtime.getRuntime().exec(values.get("program"));`),
      plain(`
        public void list(File folder) throws IOException {
          new ProcessBuilder("ls", folder.getPath()).start();
        }`),
      servlet(`
        String host = request.getParameter("host");
        if (!host.matches("[a-z0-9.]{1,60}")) return;
        Runtime.getRuntime().exec("ping " + host);`),
    ],
  },
]
