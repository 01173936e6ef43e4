class ItemsController < ApplicationController
  TYPES = { 'book' => Book, 'film' => Film }.freeze

  def create
    TYPES.fetch(params[:type]).create!(name: params[:name])
  end
end
