import type { Example } from '../../example.fixture.ts'
import { controller, plain, servlet } from './servlet.fixture.ts'

const zip = 'import java.util.zip.*; import java.nio.file.*;'

export const examples: readonly Example[] = [
  {
    rule: 'JV-PATH-01',
    bad: [
      servlet(`
        String name = request.getParameter("file");
        FileInputStream in = new FileInputStream("/srv/files/" + name); // ← here`),
      servlet(`
        for (Cookie cookie : request.getCookies()) {
          if (cookie.getName().equals("file")) {
            String value = java.net.URLDecoder.decode(cookie.getValue(), "UTF-8");
            File file = new File("/srv/files", value); // ← here
            if (file.exists()) response.setStatus(200);
          }
        }`),
      servlet(`
        Enumeration<String> names = request.getHeaders("file");
        String name = names.hasMoreElements() ? names.nextElement() : "";
        byte[] content = Files.readAllBytes(Paths.get("/srv/files/" + name)); // ← here`),
      controller(
        `
        @PostMapping("/upload")
        public String upload(@RequestParam MultipartFile file) throws Exception {
          Path target = Path.of("/srv/uploads").resolve(file.getOriginalFilename()); // ← here
          file.transferTo(target);
          return "ok";
        }`,
        'import org.springframework.web.multipart.MultipartFile;',
      ),
    ],
    good: [
      servlet(`
        File file = new File("/srv/files", request.getParameter("file"));
        if (!file.getCanonicalPath().startsWith("/srv/files/")) throw new SecurityException();
        FileInputStream in = new FileInputStream(file);`),
      servlet(`
        Path root = Path.of("/srv/files");
        Path path = root.resolve(request.getParameter("file")).normalize();
        if (!path.startsWith(root)) return;
        Files.readAllBytes(path);`),
      servlet(`
        String name = new File(request.getParameter("file")).getName();
        FileInputStream in = new FileInputStream(new File("/srv/files", name));`),
      servlet(`
        UUID id = UUID.fromString(request.getParameter("id"));
        FileInputStream in = new FileInputStream("/srv/files/" + id);`),
      servlet(`
        String name = request.getParameter("file");
        if (name.contains("..") || name.contains("/")) return;
        FileInputStream in = new FileInputStream("/srv/files/" + name);`),
      plain(`
        public String read(String name) throws IOException {
          return new BufferedReader(new FileReader(name)).readLine();
        }`),
    ],
  },
  {
    rule: 'JV-PATH-02',
    bad: [
      plain(
        `
        void unpack(ZipInputStream zip, File folder) throws IOException {
          ZipEntry entry;
          while ((entry = zip.getNextEntry()) != null) {
            File target = new File(folder, entry.getName()); // ← here
            new FileOutputStream(target).write(zip.readAllBytes());
          }
        }`,
        zip,
      ),
      plain(
        `
        void unpack(ZipFile zip, Path folder) throws IOException {
          Enumeration<? extends ZipEntry> entries = zip.entries();
          while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            Files.copy(zip.getInputStream(entry), folder.resolve(entry.getName())); // ← here
          }
        }`,
        zip,
      ),
      plain(
        `
        void unpack(ZipInputStream zip, String folder) throws IOException {
          for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            FileOutputStream out = new FileOutputStream(folder + File.separator + entry.getName()); // ← here
            zip.transferTo(out);
          }
        }`,
        zip,
      ),
    ],
    good: [
      plain(
        `
        void unpack(ZipInputStream zip, File folder) throws IOException {
          ZipEntry entry;
          while ((entry = zip.getNextEntry()) != null) {
            File target = new File(folder, entry.getName());
            if (!target.getCanonicalPath().startsWith(folder.getCanonicalPath() + File.separator)) throw new IOException();
            new FileOutputStream(target).write(zip.readAllBytes());
          }
        }`,
        zip,
      ),
      plain(
        `
        void unpack(ZipInputStream zip, Path folder) throws IOException {
          ZipEntry entry = zip.getNextEntry();
          Path target = folder.resolve(entry.getName()).normalize();
          if (!target.startsWith(folder)) throw new IOException();
          Files.copy(zip, target);
        }`,
        zip,
      ),
      plain(
        `
        void unpack(ZipInputStream zip, File folder) throws IOException {
          ZipEntry entry = zip.getNextEntry();
          new FileOutputStream(new File(folder, new File(entry.getName()).getName())).write(1);
        }`,
        zip,
      ),
    ],
  },
]
