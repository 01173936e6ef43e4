
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import java.util.zip.*; import java.nio.file.*;
public class Tool {
  void unpack(ZipFile zip, Path folder) throws IOException {
          Enumeration<? extends ZipEntry> entries = zip.entries();
          while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            Files.copy(zip.getInputStream(entry), folder.resolve(entry.getName())); // ← here
          }
        }
}
