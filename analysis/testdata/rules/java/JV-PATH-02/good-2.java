
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import java.util.zip.*; import java.nio.file.*;
public class Tool {
  void unpack(ZipInputStream zip, Path folder) throws IOException {
          ZipEntry entry = zip.getNextEntry();
          Path target = folder.resolve(entry.getName()).normalize();
          if (!target.startsWith(folder)) throw new IOException();
          Files.copy(zip, target);
        }
}
