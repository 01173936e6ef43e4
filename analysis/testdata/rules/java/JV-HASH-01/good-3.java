
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  byte[] hash(byte[] data) throws Exception {
          Properties settings = new Properties();
          return MessageDigest.getInstance(settings.getProperty("hash", "SHA-512")).digest(data);
        }
}
