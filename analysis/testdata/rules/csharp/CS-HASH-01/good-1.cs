using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public byte[] Sign(byte[] text) => SHA256.HashData(text);
}
