
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import java.util.zip.*; import java.nio.file.*;
public class Tool {
  void unpack(ZipInputStream zip, File folder) throws IOException {
          ZipEntry entry;
          while ((entry = zip.getNextEntry()) != null) {
            File target = new File(folder, entry.getName());
            if (!target.getCanonicalPath().startsWith(folder.getCanonicalPath() + File.separator)) throw new IOException();
            new FileOutputStream(target).write(zip.readAllBytes());
          }
        }
}
