
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.crypto.*;
public class Tool {
  void seal() throws Exception {
          Properties settings = new Properties();
          settings.load(getClass().getResourceAsStream("/app.properties"));
          String name = settings.getProperty("cipher", "DESede/ECB/PKCS5Padding");
          Cipher cipher = Cipher.getInstance(name); // ← here
        }
}
