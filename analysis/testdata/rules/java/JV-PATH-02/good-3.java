
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import java.util.zip.*; import java.nio.file.*;
public class Tool {
  void unpack(ZipInputStream zip, File folder) throws IOException {
          ZipEntry entry = zip.getNextEntry();
          new FileOutputStream(new File(folder, new File(entry.getName()).getName())).write(1);
        }
}
