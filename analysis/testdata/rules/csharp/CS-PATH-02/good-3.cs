using System.IO.Compression;

namespace Shop;

public class Orders
{
  public List<string> Names(Stream upload)
  {
    using var archive = new ZipArchive(upload);
    return archive.Entries.Select(entry => Path.Combine("archive", entry.FullName)).ToList();
  }
}
