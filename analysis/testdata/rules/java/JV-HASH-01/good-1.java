
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  byte[] hash(String text) throws Exception { return MessageDigest.getInstance("SHA-256").digest(text.getBytes()); }
}
