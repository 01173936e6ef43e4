
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  byte[] sign(byte[] data) throws Exception {
          Properties settings = new Properties();
          String name = settings.getProperty("hash", "SHA-1");
          MessageDigest digest = MessageDigest.getInstance(name, "SUN"); // ← here
          return digest.digest(data);
        }
}
