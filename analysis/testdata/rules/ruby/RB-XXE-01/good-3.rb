class ItemsController < ApplicationController
  def show
    @doc = Nokogiri::XML(File.read("menu.xml")) { |config| config.noent }
  end
end
