class ItemsController < ApplicationController
  def show
    @doc = Nokogiri::XML(params[:xml]) { |config| config.strict.nonet }
  end
end
