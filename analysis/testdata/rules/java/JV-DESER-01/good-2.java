
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  public Object load() throws Exception {
          return new ObjectInputStream(new FileInputStream("cache.bin")).readObject();
        }
}
