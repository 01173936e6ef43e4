
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  public void list(File folder) throws IOException {
          new ProcessBuilder("ls", folder.getPath()).start();
        }
}
