
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import java.util.zip.*; import java.nio.file.*;
public class Tool {
  void unpack(ZipInputStream zip, String folder) throws IOException {
          for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            FileOutputStream out = new FileOutputStream(folder + File.separator + entry.getName()); // ← here
            zip.transferTo(out);
          }
        }
}
