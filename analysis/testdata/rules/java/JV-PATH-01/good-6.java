
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  public String read(String name) throws IOException {
          return new BufferedReader(new FileReader(name)).readLine();
        }
}
